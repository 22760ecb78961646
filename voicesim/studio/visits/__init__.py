"""What runs a visit, without the web: what was asked for, the queue, the process that makes the call, the live feed."""

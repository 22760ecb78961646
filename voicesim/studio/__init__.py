"""The playground in the browser: run a visit, watch and hear it, read its card, review what is disputed."""

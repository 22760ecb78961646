"""An exam for judges: conversations with faults planted by code, so that each label is true by construction."""

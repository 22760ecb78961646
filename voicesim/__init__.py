"""voicesim: the patient who calls your voice agent."""

__version__ = "0.1.0"

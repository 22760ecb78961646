"""An agent that speaks the OpenAI Realtime protocol (GA) over WebRTC."""

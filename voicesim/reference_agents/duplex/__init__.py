"""An agent that listens while it speaks, on the protocol of GPT-Live, over WebRTC and WebSocket."""

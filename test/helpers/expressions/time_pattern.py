"""Prints over which of some texts a pattern takes longest: milliseconds of the processor, and the text."""

import json
import re
import sys
import time

asked = json.load(sys.stdin)
pattern = re.compile(asked["source"].replace("(?<", "(?P<").replace("(?P<=", "(?<=").replace("(?P<!", "(?<!"))
slowest = (0.0, "")
for text in asked["texts"]:
    took = []
    for _ in range(2):
        began = time.process_time()
        for _ in pattern.finditer(text):
            pass
        took.append((time.process_time() - began) * 1000)
    if min(took) > slowest[0]:
        slowest = (min(took), text)
    if min(took) > asked["slow"]:
        break
print(json.dumps(slowest))

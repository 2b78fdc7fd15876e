"""
Runs a command in a pseudo-terminal: standard input is what is typed, standard output what is shown.
SIGUSR1 closes the terminal.
"""
import fcntl
import os
import pty
import select
import signal
import struct
import sys
import termios

child, terminal = pty.fork()
if child == 0:
    os.execvp(sys.argv[1], sys.argv[1:])


def status_of(status):
    if os.WIFEXITED(status):
        return os.waitstatus_to_exitcode(status)
    return 128 + os.WTERMSIG(status)


def close(*_):
    os.close(terminal)
    os._exit(status_of(os.waitpid(child, 0)[1]))


signal.signal(signal.SIGUSR1, close)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 120, 0, 0))
is_open = True
while True:
    ready, _, _ = select.select([terminal, *([0] if is_open else [])], [], [])
    if 0 in ready:
        typed = os.read(0, 65536)
        is_open = bool(typed)
        if typed:
            os.write(terminal, typed)
    if terminal in ready:
        try:
            shown = os.read(terminal, 65536)
        except OSError:
            # The other side was closed.
            break
        if not shown:
            break
        os.write(1, shown)
echo = bool(termios.tcgetattr(terminal)[3] & termios.ECHO)
_, status = os.waitpid(child, 0)
os.write(2, b"echo\n" if echo else b"no echo\n")
sys.exit(status_of(status))

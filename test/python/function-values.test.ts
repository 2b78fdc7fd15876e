import { expect } from 'chai'
import { eachPythonFolder, type PythonFolder } from '../helpers/python-hosts.ts'
import { resultOf } from './function-results.ts'

const TOOLS = `
import dataclasses, functools, math
from typing import Dict, List, Optional, Union

@dataclasses.dataclass
class Point:
    x: float

def kinds(a: float, b: Optional[float], c: List[float], d: Point, e: Union[int, float], f: float = math.inf):
    """Names the types of its arguments."""
    return [type(each).__name__ for each in (a, b, c[0], d.x, e, f)]

def export():
    """Exports in steps."""
    yield "50 %"
    yield "100 %"
    return {"path": "data.csv"}

def ring():
    """Answers a list that contains itself."""
    inner = []
    inner.append(inner)
    return {"a": [1, inner]}

class Odd:
    """No value of JSON."""

Odd.__module__ = "numpy"

def odd():
    """Answers a value of a class with a module."""
    return Odd()

def scaled(number: int, by: int):
    """Multiplies a number."""
    return number * by

def shout(text: str, *, context):
    """Logs at levels."""
    for level in ("warning", "critical", 30, "error"):
        context.log(text, level)
    context.log(text, "banana")

kind, name = "tool", "values"
functions = {
    kinds: {"is_read_only": True, "is_concurrency_safe": True},
    export: None,
    ring: None,
    odd: None,
    functools.partial(scaled, by=3): {"is_idempotent": True},
    shout: None,
}
`

describe('a tool from functions of Python', () => {
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })
  const result = async (name: string, input: object = {}) =>
    resultOf(await folder.host([TOOLS]), name, input)

  it('is given floats where it says so, whatever the number is', async () => {
    const input = { a: 2, b: 1, c: [3], d: { x: 4 }, e: 5 }
    const float = 'float'
    expect(await result('kinds', input)).to.deep.equal([float, float, float, float, 'int', float])
  })

  it('answers what its generator returns', async () => {
    expect(await result('export')).to.deep.equal({ path: 'data.csv' })
  })

  it('is told where a value contains itself', async () => {
    const answer = JSON.stringify(await result('ring'))
    expect(answer).to.include('not JSON at /a/1/0: it contains itself')
  })

  it('is told the module of a class that JSON does not have', async () => {
    expect(JSON.stringify(await result('odd'))).to.include('of the type numpy.Odd')
  })

  it('may be a function with some arguments given', async () => {
    expect(await result('scaled', { number: 4 })).to.equal(12)
    const tools = await (await folder.host([TOOLS])).toolSchemas()
    const [scaled] = tools.filter(({ name }) => name === 'scaled')
    expect(scaled).to.deep.include({
      description: 'Multiplies a number.',
      safety: { is_idempotent: true },
    })
    expect(scaled?.input_schema).to.deep.include({ required: ['number'] })
  })

  it('has the safety that a dict of functions says', async () => {
    const tools = await (await folder.host([TOOLS])).toolSchemas()
    expect(tools.find(({ name }) => name === 'kinds')?.safety).to.deep.equal({
      is_read_only: true,
      is_concurrency_safe: true,
    })
    expect(tools.find(({ name }) => name === 'export')).to.not.have.property('safety')
  })

  it('logs at levels of the host and of logging, and at no others', async () => {
    const error = JSON.stringify(await result('shout', { text: 'hear' }))
    expect(error).to.include("no level 'banana'").and.include('\\"warning\\"')
    const levels = folder.log.filter(({ message }) => message === 'hear').map(({ level }) => level)
    expect(levels).to.deep.equal(['warn', 'error', 'warn', 'error'])
  })
})

import { expect } from 'chai'
import type { Host } from '../../src/core/host/index.ts'
import { sampled } from '../helpers/cases.ts'
import { eachPythonFolder, PythonFolder } from '../helpers/python-hosts.ts'
import { resultOf } from './function-results.ts'

const TOOLS = `
import asyncio, dataclasses, enum
from typing import Annotated, Any, Dict, List, Literal, Optional, Tuple, Union

kind = "tool"
name = "kit"

@dataclasses.dataclass
class Point:
    x: float
    y: float = 0

class Unit(enum.Enum):
    METRE = "m"
    FOOT = "ft"

def distance(start: Point, end: Point, unit: Unit = Unit.METRE, *, context=None):
    """How far two points
    are apart.

    It is the straight line.

    Args:
        start (Point): Where it begins,
            as the crow sits.
        end: Where it ends.
    """
    far = ((end.x - start.x) ** 2 + (end.y - start.y) ** 2) ** 0.5
    context.warn("measured")
    return {"far": far, "unit": unit, "to": end}

async def search(query: Annotated[str, "What for"], limit: int = 3, tags: Optional[List[str]] = None):
    """Finds things.

    Parameters
    ----------
    limit : int
        How many.
    tags, more : list of str
        Any of these.

    Returns
    -------
    list
    """
    await asyncio.sleep(0)
    return [query, limit, tags]

def count(to: int, pair: Tuple[int, str] = (1, "a"), mode: Literal["up", "down"] = "up"):
    """Counts.

    :param int to: How far.
    :param mode: Which
        way.
    """
    for n in range(to):
        yield {"at": n}
    yield {"done": to, "pair": pair}

count.safety = {"is_read_only": True}

async def slowly(points: Dict[str, Point], either: Union[Point, str]):
    """Goes slowly."""
    yield "on"
    yield Point(points["a"].x, either.y if isinstance(either, Point) else -1)

functions = [distance, search, count, slowly]
`

const POINT = {
  type: 'object',
  properties: { x: { type: 'number' }, y: { type: 'number', default: 0 } },
  required: ['x'],
  additionalProperties: false,
}

describe('plain functions as tools of a Python plugin', function () {
  this.timeout(30_000)
  let folder: PythonFolder
  eachPythonFolder((made) => {
    folder = made
  })

  it('have schemas by annotations, defaults and docstrings of each style', async () => {
    const host = await folder.host([TOOLS])
    const schemas = await host.toolSchemas({ provider: 'scripted' })
    expect(schemas.map(({ name, description }) => [name, description])).to.deep.equal([
      ['distance', 'How far two points are apart.'],
      ['search', 'Finds things.'],
      ['count', 'Counts.'],
      ['slowly', 'Goes slowly.'],
    ])
    const [distance, search, count] = schemas
    expect(distance?.input_schema).to.deep.equal({
      type: 'object',
      properties: {
        start: { $ref: '#/$defs/Point', description: 'Where it begins, as the crow sits.' },
        end: { $ref: '#/$defs/Point', description: 'Where it ends.' },
        unit: { enum: ['m', 'ft'], default: 'm' },
      },
      required: ['start', 'end'],
      additionalProperties: false,
      $defs: { Point: POINT },
    })
    expect(search?.input_schema['properties']).to.deep.equal({
      query: { type: 'string', description: 'What for' },
      limit: { type: 'integer', description: 'How many.', default: 3 },
      tags: {
        anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'null' }],
        description: 'Any of these.',
        default: null,
      },
    })
    expect(count?.input_schema['properties']).to.deep.include({
      to: { type: 'integer', description: 'How far.' },
      mode: { enum: ['up', 'down'], description: 'Which way.', default: 'up' },
    })
    expect(count?.safety).to.deep.equal({ is_read_only: true })
    const strict = await host.toolSchemas({ provider: 'scripted' }, { for: 'openai-strict' })
    expect(strict.map((tool) => tool.strict)).to.deep.equal([true, true, true, false])
  })

  it('tell the model of arguments that a class refuses, and what to do', async () => {
    const host = await folder.host([
      `
import dataclasses
kind = "tool"
name = "few"
@dataclasses.dataclass
class Few:
    n: int
    def __post_init__(self):
        if self.n > 5: raise ValueError("n must be at most 5")
def take(few: Few):
    "Takes a few."
    return few.n
functions = [take]
`,
    ])
    const opened = await host.open({}, {})
    const input = { few: { n: 9 } }
    const { error, output } = await opened.execute({ callId: '1', name: 'take', input })
    expect(output).to.equal('The arguments of "take" are not valid at /few: n must be at most 5')
    expect(error).to.deep.equal({
      class: 'invalid_arguments',
      retryable: false,
      advice: 'Correct the arguments and call the tool again.',
    })
  })

  it('may annotate the context and the result with types that only type checkers import', async () => {
    const host = await folder.host([
      `
from __future__ import annotations
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from braidwork import ActionContext
    from collections.abc import Mapping

kind = "tool"
name = "typed"

def double(number: int, *, context: ActionContext) -> Mapping[str, int]:
    """Doubles a number."""
    return {"double": 2 * number}

functions = [double]
`,
    ])
    const [double] = await host.toolSchemas({ provider: 'scripted' })
    expect(double?.input_schema['properties']).to.deep.equal({ number: { type: 'integer' } })
    expect(await resultOf(host, 'double', { number: 4 })).to.deep.equal({ double: 8 })
  })

  const CALLS: readonly [string, object, unknown][] = [
    [
      'distance',
      { start: { x: 0, y: 0 }, end: { x: 3, y: 4 }, unit: 'ft' },
      { far: 5, unit: 'ft', to: { x: 3, y: 4 } },
    ],
    ['search', { query: 'a' }, ['a', 3, null]],
    ['count', { to: 2, pair: [7, 'z'] }, { done: 2, pair: [7, 'z'] }],
    ['slowly', { points: { a: { x: 2 } }, either: { x: 1, y: 9 } }, { x: 2, y: 9 }],
    ['slowly', { points: { a: { x: 2 } }, either: 'text' }, { x: 2, y: -1 }],
  ]
  describe('run, given what they are annotated with', () => {
    let shared: PythonFolder
    let host: Host
    before(async () => {
      shared = await PythonFolder.make()
      host = await shared.host([TOOLS])
    })
    after(() => shared.close())

    for (const [tool, input, expected] of CALLS) {
      it(`${tool} of ${JSON.stringify(input)}`, async () => {
        expect(await resultOf(host, tool, input)).to.deep.equal(expected)
      })
    }
  })

  const FAULTS: readonly [string, RegExp][] = [
    ['def f(a, b: int):\n    "F."', /parameter "a" of function "f" has no annotation/],
    ['def f(a: int): pass', /function "f" has no docstring/],
    ['def f(*a: int):\n    "F."', /parameter "a" of function "f" cannot be passed by its name/],
    ['def f(a: bytes):\n    "F."', /parameter "a" of function "f" is of type bytes/],
    ['def f(a: "Gone"):\n    "F."', /annotations of function "f" cannot be read.*Gone/],
    [
      'class Adding:\n    "Adds."\n    def __call__(self, a: int): return a\nf = Adding()',
      /"functions" lists an object of the class "Adding", which has no "__name__"/,
    ],
    ['f = 3', /"functions" lists 3, which is not a function/],
    ['def f(a: int = object()):\n    "F."', /JSON cannot express the default of parameter "a"/],
    [
      'def f(a: int):\n    "F."\ndef get_tool_schemas(state): return []',
      /both "functions" and "get_tool_schemas"/,
    ],
  ]
  for (const [source, expected] of sampled(FAULTS, 3)) {
    it(`are refused at load where ${expected.source}`, async () => {
      const text = `${source}\nkind = "tool"\nname = "t"\nfunctions = [f]\n`
      const { diagnostics } = await (await folder.host([text])).resolve({ provider: 'scripted' })
      expect(diagnostics.map(({ code }) => code)).to.deep.equal(['PLUGIN_NOT_LOADED'])
      expect(diagnostics[0]?.message).to.match(expected)
    })
  }
})

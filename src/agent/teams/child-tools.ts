import { type CallOutcome, failure } from '@braidwork/core/internal'
import { HostError, isObject } from '@braidwork/plugin'
import {
  type AgentCall,
  type Asking,
  type ChildTool,
  type Delegate,
  type DelegateTool,
  emptyPrompt,
} from '../children/index.ts'
import type { SharedContext } from '../storage/index.ts'
import { askMembers } from './ask-members.ts'
import { dispatchNote, dispatchTo, type Wanted } from './dispatch.ts'
import { lead } from './lead.ts'
import { readShared, writeShared } from './shared.ts'
import { electable, leadsItself, type Member, othersThan, partFor, type Team } from './team.ts'
import {
  broadcastTool,
  dispatchTool,
  leadTool,
  multicastTool,
  readTool,
  writeTool,
} from './team-tools.ts'

/** A team at work. */
interface TeamWork {
  readonly team: Team
  readonly context: SharedContext
  /** Whether the runs of the members are stored: then a call that runs again finds those that it had begun. */
  readonly isStored: boolean
  /** The way to ask a member that has these tools beside its own. */
  readonly delegateOf: (member: Member, tools: readonly ChildTool[]) => Delegate
}

/** The tools of the agent that has a team: those of the leader if it leads itself, else the one that asks the team. */
export function childTools(work: TeamWork): readonly ChildTool[] {
  const { team, delegateOf } = work
  if (leadsItself(team)) return leadingTools(work, team.id)
  const leaders = () => electable(team).map((one) => delegateOf(one, leadingTools(work, one.id)))
  return [
    {
      tool: repeatable(leadTool(team), work),
      run: async (call, asking) =>
        emptyPrompt(call, team.id, 'team') ?? lead(call, asking, leaders()),
    },
  ]
}

/** A tool whose calls ask members, as it is after a crash. LT-10 */
function repeatable(tool: DelegateTool, { isStored }: TeamWork): DelegateTool {
  return isStored ? { ...tool, safety: { ...tool.safety, is_idempotent: true } } : tool
}

/** The same tools, for a list of what an agent is offered. */
export function toolsOf(team: Team): readonly DelegateTool[] {
  if (!leadsItself(team)) return [leadTool(team)]
  const sharing = [readTool(team), writeTool(team)]
  if (othersThan(team.id, team).length === 0) return sharing
  return [
    broadcastTool(team, team.id),
    multicastTool(team, team.id),
    dispatchTool(team),
    ...sharing,
  ]
}

/** The names of the tools that the agent has that has a team. */
export function teamToolNames(team: Team): readonly string[] {
  return toolsOf(team).map(({ name }) => name)
}

/** The tools of a leader. One whose members are all left out has nobody to ask. AW-16 */
function leadingTools(work: TeamWork, leader: string): readonly ChildTool[] {
  const { team } = work
  const others = othersThan(leader, team)
  if (others.length === 0) return sharingTools(work, leader)
  const ask = (call: AgentCall, asking: Asking, members: readonly Member[]) =>
    askMembers({
      call,
      asking,
      members: members.map((one) => asked(one, work)),
      isFailFast: inputOf(call)['fail_fast'] === true,
    })
  return [
    {
      tool: repeatable(broadcastTool(team, leader), work),
      run: (call, asking) => ask(call, asking, others),
    },
    {
      tool: repeatable(multicastTool(team, leader), work),
      run: (call, asking) => {
        const to = inputOf(call)['to'] as readonly string[]
        return ask(
          call,
          asking,
          others.filter(({ id }) => to.includes(id)),
        )
      },
    },
    {
      tool: repeatable(dispatchTool(team), work),
      run: (call, asking) => dispatch(call, asking, { ...work, others }),
    },
    ...sharingTools(work, leader),
  ]
}

/** The input of a call, which has the schema of its tool. */
function inputOf({ input }: AgentCall): Readonly<Record<string, unknown>> {
  return input as Readonly<Record<string, unknown>>
}

/** The tools by which a member shares the context of its team. */
function sharingTools({ team, context }: TeamWork, agent: string): readonly ChildTool[] {
  return [
    { tool: readTool(team), run: (call) => readShared(call, context) },
    { tool: writeTool(team), run: (call) => writeShared(call, context, agent) },
  ]
}

function asked(member: Member, work: TeamWork): Delegate {
  return work.delegateOf(member, sharingTools(work, member.id))
}

/** Asks the member that fits. AL-19 */
async function dispatch(
  call: AgentCall,
  asking: Asking,
  { others, ...work }: TeamWork & { readonly others: readonly Member[] },
): Promise<CallOutcome> {
  try {
    const { agent, type, capability } = inputOf(call) as Wanted
    const wanted = { agent, type, capability }
    const member = dispatchTo(wanted, others, work.team.default)
    const note = dispatchNote(wanted, member, others)
    const noted = note === undefined ? {} : { note }
    const outcome = await asking.ask(asked(member, work), partFor(member, call))
    const { state, output } = outcome
    if (state === 'succeeded')
      return { state, output: { agent: member.id, status: 'done', text: output, ...noted } }
    return isObject(output) ? { ...outcome, output: { ...output, ...noted } } : outcome
  } catch (error) {
    if (!HostError.is(error) || error.code !== 'AGENT_NOT_FOUND') throw error
    return failure('invalid_arguments', error.message)
  }
}

import type { Command } from 'commander'
import { type ClockView, moveClock, showClock } from '../features/deployment/service.ts'
import { addCommand, addGroup, examples, speak } from './command.ts'
import { type CommonOptions, type Deployment, withDeployment } from './deployment.ts'
import { describe } from './output.ts'
import { duration, instant } from './values.ts'

type Move = (deployment: Deployment) => Promise<ClockView> | ClockView

export function addClockCommands(program: Command): void {
  const group = addGroup(program, 'clock', "a sandbox's clock: dates, windows and expiries follow it")
  const run = (options: CommonOptions, move: Move): Promise<void> =>
    speak(options, (output) =>
      withDeployment(options, output, async (deployment) => {
        const view = await move(deployment)
        output.result(view, describe({ ...view }))
      }),
    )
  addCommand(group, 'show', 'show the time').action((options: CommonOptions) => run(options, showClock))
  const set = addCommand(group, 'set', 'move the clock to an instant').argument('<instant>', 'ISO 8601', instant)
  examples(set, ['nuqta clock set 2027-01-31T09:00:00Z'])
  set.action((at_ms: number, options: CommonOptions) =>
    run(options, (deployment) => moveClock(deployment.db, deployment, Math.round((at_ms - Date.now()) / 1000))),
  )
  const advance = addCommand(group, 'advance', 'move the clock on').argument(
    '<duration>',
    '45d, 2h, 10m, 30s',
    duration,
  )
  examples(advance, ['nuqta clock advance 31d'])
  advance.action((ahead_s: number, options: CommonOptions) =>
    run(options, (deployment) => moveClock(deployment.db, deployment, deployment.clock_offset_s + ahead_s)),
  )
  addCommand(group, 'reset', "follow the machine's clock again").action((options: CommonOptions) =>
    run(options, (deployment) => moveClock(deployment.db, deployment, 0)),
  )
}

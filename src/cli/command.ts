import type { Command } from 'commander'
import type { CommonOptions } from './deployment.ts'
import { createOutput, type Output } from './output.ts'

/** A command with the options that all take. `spec` is its name with its arguments. */
export function addCommand(parent: Command, spec: string, description: string): Command {
  return parent
    .command(spec)
    .description(description)
    .option('--data-dir <path>', 'data directory of the deployment (default: NUQTA_DATA_DIR, else ./data)')
    .option('--json', 'print one JSON object a line, and nothing else, to stdout')
}

/** A command that only groups others. */
export function addGroup(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description)
}

/** What a command's help ends with. */
export function examples(command: Command, lines: readonly string[]): Command {
  return command.addHelpText('after', ['', 'Examples:', ...lines.map((line) => `  $ ${line}`)].join('\n'))
}

/** Gives a command its output, and the process the exit code that it leaves there. */
export async function speak(options: CommonOptions, work: (output: Output) => Promise<void>): Promise<void> {
  const output = createOutput(options.json === true)
  await work(output)
  if (output.code !== 0) process.exitCode = output.code
}

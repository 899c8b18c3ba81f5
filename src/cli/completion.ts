import { Argument, type Command } from 'commander'
import type { CommonOptions } from './command.ts'
import { type CompletedShell, renderCompletion, shells } from './completion-scripts.ts'

/** Adds `completion SHELL`, which prints a script made from the table of commands. */
export function addCompletionCommand(program: Command): void {
  const command = program
    .command('completion')
    .description('print a script that completes commands and options in a shell')
    .addArgument(new Argument('<shell>', 'for this shell').choices(shells))
    .action(
      (name: CompletedShell, { shell }: CommonOptions) => void shell.stdout.write(renderCompletion(program, name)),
    )
  command.addHelpText(
    'after',
    [
      '\nLoad it at the start of the shell:',
      '  bash  source <(nuqta completion bash)                                in ~/.bashrc',
      '  zsh   source <(nuqta completion zsh)                                 in ~/.zshrc, after compinit',
      '  fish  nuqta completion fish > ~/.config/fish/completions/nuqta.fish',
    ].join('\n'),
  )
}

import { Argument, type Command, type Option } from 'commander'
import type { CommonOptions } from './command.ts'

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

export const shells = ['bash', 'zsh', 'fish'] as const
export type CompletedShell = (typeof shells)[number]

/** A word that may come next, with what it means. */
interface Word {
  readonly word: string
  readonly means: string
}

/** The words that may follow in a command. */
interface Place {
  /** The words before: `['merchant', 'set']`. */
  readonly path: readonly string[]
  readonly commands: readonly Word[]
  readonly options: readonly (Word & { readonly takes_value: boolean; readonly choices: readonly string[] })[]
  /** The choices of the first argument. */
  readonly choices: readonly string[]
}

/** Every place in the table of commands, from the top down. */
function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const visible = command
    .createHelp()
    .visibleCommands(command)
    .filter((one) => one.name() !== 'help')
  const here = {
    path,
    commands: visible.map((one) => ({ word: one.name(), means: one.description() })),
    options: command.createHelp().visibleOptions(command).flatMap(optionOf),
    choices: command.registeredArguments[0]?.argChoices ?? [],
  }
  return [here, ...visible.flatMap((one) => placesOf(one, [...path, one.name()]))]
}

function optionOf({ long, description, required, optional, argChoices }: Option): Place['options'] {
  if (long === null || long === undefined) return []
  return [{ word: long, means: description, takes_value: required || optional, choices: argChoices ?? [] }]
}

/** Gives the completion script of a shell. */
export function renderCompletion(program: Command, shell: CompletedShell): string {
  return renderers[shell](placesOf(program))
}

const renderers: Readonly<Record<CompletedShell, (places: readonly Place[]) => string>> = {
  bash: renderBash,
  zsh: renderZsh,
  fish: renderFish,
}

/** A word in single quotes, for bash and zsh. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const pathText = ({ path }: Place) => path.map((word) => ` ${word}`).join('')

/** The cases of `AT`, which holds the commands so far, and of `AT PREVIOUS` for the choices of an option. */
function casesOf(places: readonly Place[], words: (words: readonly Word[]) => string): string[] {
  const values = places.flatMap((place) =>
    place.options
      .filter(({ takes_value }) => takes_value)
      .map(({ word, choices }) => {
        const found = words(choices.map((choice) => ({ word: choice, means: '' })))
        return `    ${quoted(`${pathText(place)} ${word}`)}) ${found} ;;`
      }),
  )
  const next = places.map((place) => {
    const choices = place.choices.map((word) => ({ word, means: '' }))
    return `    ${quoted(pathText(place))}' '*) ${words([...place.commands, ...choices, ...place.options])} ;;`
  })
  // The longest path first: a case takes the first pattern that fits.
  return [...values, ...next.reverse()]
}

function renderBash(places: readonly Place[]): string {
  const groups = places.slice(1).map((place) => quoted(pathText(place)))
  const list = (words: readonly Word[]) => `words=${quoted(words.map(({ word }) => word).join(' '))}`
  return `# Completion of nuqta for bash: source <(nuqta completion bash)
_nuqta() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} at='' words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
    ${groups.join(' | ')}) at="$at \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $previous" in
${casesOf(places, list).join('\n')}
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -o default -F _nuqta nuqta
`
}

function renderZsh(places: readonly Place[]): string {
  const groups = places.slice(1).map((place) => quoted(pathText(place)))
  const list = (words: readonly Word[]) =>
    `items=(${words.map(({ word, means }) => quoted(means === '' ? word : `${word}:${means}`)).join(' ')})`
  return `#compdef nuqta
# Completion of nuqta for zsh: source <(nuqta completion zsh), after compinit
_nuqta() {
  local at='' word
  local -a items
  for word in \${words[2,CURRENT-1]}; do
    case "$at $word" in
    ${groups.join(' | ')}) at="$at $word" ;;
    esac
  done
  case "$at \${words[CURRENT-1]}" in
${casesOf(places, list).join('\n')}
  esac
  if (( \${#items} )); then _describe nuqta items; else _files; fi
}
if [[ "\${funcstack[1]}" == _nuqta ]]; then _nuqta "$@"; else compdef _nuqta nuqta; fi
`
}

function renderFish(places: readonly Place[]): string {
  const escaped = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = places.flatMap(({ path, commands, choices, options }) => {
    const at = `complete -c nuqta -n ${escaped(['__nuqta_at', ...path].join(' '))}`
    return [
      ...commands.map(({ word, means }) => `${at} -f -a ${word} -d ${escaped(means)}`),
      ...(choices.length === 0 ? [] : [`${at} -f -a ${escaped(choices.join(' '))}`]),
      ...options.map(({ word, means, takes_value, choices: values }) => {
        const value = values.length > 0 ? ` -x -a ${escaped(values.join(' '))}` : takes_value ? ' -r' : ''
        return `${at} -l ${word.slice(2)}${value} -d ${escaped(means)}`
      }),
    ]
  })
  return `# Completion of nuqta for fish: nuqta completion fish > ~/.config/fish/completions/nuqta.fish
set -g __nuqta_commands ${places
    .slice(1)
    .map(({ path }) => escaped(path.join(' ')))
    .join(' ')}

# Whether these are the commands so far.
function __nuqta_at
    set -l at
    for word in (commandline -opc)[2..-1]
        set -l next (string join -- ' ' $at $word)
        contains -- $next $__nuqta_commands; and set at $at $word
    end
    test "$at" = "$argv"
end

${lines.join('\n')}
`
}

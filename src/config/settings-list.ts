import { type Setting, settingGroups } from './settings.ts'

const introduction = `# Settings

<!-- Generated from src/config/settings.ts by \`npm run generate\`; do not edit. -->

Settings come from flags of the command line, from environment variables and from a \`.env\` file in the working
directory, in this order of precedence. \`nuqta serve\` refuses to start while one is wrong or unknown, and lists all
mistakes at once. A blank setting counts as not given. A secret may come from a file: \`NUQTA_SECRET_KEY_FILE=/run/secrets/nuqta\`.

"Applies to" names the processes that read a setting: \`api\` and \`worker\` are the roles of \`nuqta serve\`, \`serve\` is both,
and \`everything\` is the commands as well. A setting of a sandbox is a mistake elsewhere.
`

const heads = ['Setting', 'Value', 'Unit', 'Default', 'Example', 'Applies to', 'Meaning']

/** Gives the text of docs/settings.md: every setting with its type, unit, default and an example. */
export function renderSettingsList(): string {
  const sections = Object.entries(settingGroups).map(([title, group]) => {
    const rows = Object.entries(group).map(([name, setting]) => renderRow(name, setting))
    return `\n## ${title}\n\n${[heads, heads.map(() => '---'), ...rows].map(renderLine).join('')}`
  })
  return introduction + sections.join('')
}

function renderRow(name: string, setting: Setting<unknown>): string[] {
  const { type, flag, secret, example, applies_to, description } = setting
  return [
    `\`${name}\`${secret ? ' (secret)' : ''}${flag === undefined ? '' : `, \`--${flag.replaceAll('_', '-')}\``}`,
    type.description,
    type.unit ?? '',
    renderDefault(setting),
    / .* /.test(example) ? example : `\`${example}\``,
    applies_to,
    description,
  ]
}

function renderDefault({ default: always, production_default, default_text }: Setting<unknown>): string {
  if (default_text !== undefined) return default_text
  if (always === undefined || String(always) === '') return 'none'
  const production = production_default === undefined ? '' : `; in production \`${String(production_default)}\``
  return `\`${String(always)}\`${production}`
}

function renderLine(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |\n`
}

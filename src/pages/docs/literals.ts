/** How a language writes values. */
interface Style {
  readonly text: (value: string) => string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly pair: (name: string) => string
  readonly indent: string
}

const single = (value: string): string => `'${value.replace(/[\\']/g, '\\$&')}'`
const plain = { true: 'true', false: 'false', null: 'null' }

const styles = {
  typescript: {
    text: (value) => `'${JSON.stringify(value).slice(1, -1).replace(/\\"/g, '"').replace(/'/g, "\\'")}'`,
    words: plain,
    list: ['[', ']'],
    object: ['{', '}'],
    pair: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : single(name)}: `,
    indent: '  ',
  },
  php: {
    text: single,
    words: plain,
    list: ['[', ']'],
    object: ['[', ']'],
    pair: (name) => `${single(name)} => `,
    indent: '    ',
  },
  python: {
    text: (value) => JSON.stringify(value),
    words: { true: 'True', false: 'False', null: 'None' },
    list: ['[', ']'],
    object: ['{', '}'],
    pair: (name) => `${JSON.stringify(name)}: `,
    indent: '    ',
  },
} as const satisfies Record<string, Style>

/** Writes a JSON value as a literal of a language. Each member of an object has one line, with all of its content. */
export function literal(value: unknown, language: keyof typeof styles, before = ''): string {
  const style = styles[language]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return inLine(value, style)
  const [open, close] = style.object
  const inner = before + style.indent
  const lines = Object.entries(value).map(([name, one]) => `${inner}${style.pair(name)}${inLine(one, style)},\n`)
  return lines.length === 0 ? open + close : `${open}\n${lines.join('')}${before}${close}`
}

function inLine(value: unknown, style: Style): string {
  if (typeof value === 'string') return style.text(value)
  if (typeof value === 'number') return String(value)
  if (value === null) return style.words.null
  if (typeof value === 'boolean') return style.words[value ? 'true' : 'false']
  if (Array.isArray(value))
    return within(
      style.list,
      value.map((one) => inLine(one, style)),
    )
  const pairs = Object.entries(value as object).map(([name, one]) => style.pair(name) + inLine(one, style))
  return within(style.object, pairs)
}

function within([open, close]: Style['list'], parts: readonly string[]): string {
  return open + parts.join(', ') + close
}

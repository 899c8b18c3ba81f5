import type { FailureKind, FieldRule } from '../../domain/failures.ts'
import { errorTable } from './errors.ts'
import { ruleTexts } from './field-texts.ts'

const introduction = `# Errors

<!-- Generated from src/http/api/errors.ts by \`npm run generate\`; do not edit. -->

Every error is the same envelope: \`status\` false, a \`message\` that says what to do, \`appended_data\` (normally empty),
and \`errors\` with validation failures alone. The language is that of \`lang\` or \`Accept-Language\` (\`ar\` or \`en\`).
Decide by the HTTP status; show or log the message. Report the \`X-Request-Id\` header when you ask for help.
`

const fieldIntroduction = `
## Fields

A 422 names every failing field in \`errors\`, nested ones with dots (\`products.0.quantity\`). \`:attribute\` is the name of
the field, \`:limit\` its bound.
`

/** Gives the text of docs/errors.md: every failure and every sentence of validation errors, in both languages. */
export function renderErrorList(): string {
  const kinds = Object.keys(errorTable) as FailureKind[]
  kinds.sort((a, b) => errorTable[a].status - errorTable[b].status)
  const failures = kinds.map((kind) => {
    const { status, when, text } = errorTable[kind]
    return [status, when, text.en, text.ar, headerName(kind)]
  })
  const rules = (Object.keys(ruleTexts) as FieldRule[]).map((rule) => [ruleTexts[rule].en, ruleTexts[rule].ar])
  return [
    introduction,
    renderTable(['Status', 'When', 'English', 'Arabic', 'Headers'], failures),
    fieldIntroduction,
    renderTable(['English', 'Arabic'], rules),
  ].join('\n')
}

function headerName(kind: FailureKind): string {
  if (kind === 'method_not_allowed') return '`Allow`'
  return errorTable[kind].headers === undefined ? '' : '`Retry-After`'
}

function renderTable(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |\n`
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('')
}

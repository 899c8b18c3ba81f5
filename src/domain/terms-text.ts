/** A program's own terms, as its operator types them. docs/spec/customers.md#terms */
import type { Terms } from './terms.ts'

/** The most characters of a text, the most versions of a program, and the most parts of a text. */
export const max_terms_characters = 20_000
export const max_terms_versions = 100
const max_parts = 200

/** Takes the name of a version as typed; null if it is none: up to 20 letters, digits, dots and dashes. */
export function readTermsVersion(typed: string): string | null {
  const version = typed.trim()
  return /^[0-9A-Za-z][0-9A-Za-z.-]{0,19}$/.test(version) ? version : null
}

/**
 * Takes a text: its first line is the title, a line that begins with `## ` the title of a section, and an empty line ends a
 * paragraph. What stands before the first section is the lead. Null without a title and a paragraph, or for too long a text.
 */
export function parseTerms(text: string): Terms | null {
  if (text.length > max_terms_characters) return null
  const [title = '', ...rest] = text.replaceAll('\r\n', '\n').trim().split('\n')
  const [lead = '', ...sections] = `\n${rest.join('\n')}`.split(/\n## +/)
  const parsed = sections.map((section) => {
    const [heading = '', ...body] = section.split('\n')
    return { title: heading.trim(), paragraphs: paragraphsOf(body.join('\n')) }
  })
  const leads = paragraphsOf(lead)
  const parts = parsed.reduce((sum, { paragraphs }) => sum + 1 + paragraphs.length, leads.length)
  if (title.trim() === '' || parts === 0 || parts > max_parts) return null
  return { title: title.trim().replace(/^# +/, ''), lead: leads.join(' '), sections: parsed }
}

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s+/g, ' ').trim())
    .filter((paragraph) => paragraph !== '')
}

/** Gives the text of terms, as `parseTerms` reads it. */
export function writeTerms({ title, lead, sections }: Terms): string {
  const parts = sections.map((section) => [`## ${section.title}`, ...section.paragraphs].join('\n\n'))
  return [title, lead, ...parts].filter((part) => part !== '').join('\n\n')
}

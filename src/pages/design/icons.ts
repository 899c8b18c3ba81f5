import { attributes, Html, html } from './html.ts'

/** Paths on a 24 by 24 grid with 1.75 strokes. */
const drawings = {
  arrow: '<path d="M5 12h13m-5.5-6 6 6-6 6"/>',
  back: '<path d="M19 12H6m5.5-6-6 6 6 6"/>',
  bag: '<path d="M5.5 8h13l1 12h-15zM8.5 8V7a3.5 3.5 0 0 1 7 0v1"/>',
  card: '<path d="M3.5 6h17v12h-17zM3.5 10.5h17M7 14.5h3"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  clock: '<path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2.5"/>',
  document: '<path d="M6 3.5h8l4 4v13H6zM14 3.5v4h4M9 12h6M9 15.5h6"/>',
  error: '<path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5v5.5M12 16.2v.3"/>',
  gift: '<path d="M4.5 11.5h15v8.5h-15zM3.5 8h17v3.5h-17zM12 8v12M12 8C9 8 7.5 6.9 7.5 5.6S9 3.8 10 4.6 12 8 12 8s1-2.6 2-3.4 2.5-.3 2.5 1S15 8 12 8z"/>',
  info: '<path d="M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 11v5.5M12 7.5v.3"/>',
  lock: '<path d="M5.5 10.5h13v10h-13zM8.5 10.5v-3a3.5 3.5 0 0 1 7 0v3"/>',
  out: '<path d="M10 4.5H5.5v15H10M14.5 8l4 4-4 4M18 12h-8"/>',
  person: '<path d="M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4.5 20c.8-3.6 3.7-5.5 7.5-5.5s6.7 1.9 7.5 5.5"/>',
  phone: '<path d="M7.5 3h9v18h-9zM11 18.2h2"/>',
  points: '<path d="m12 4.2 7.8 7.8-7.8 7.8L4.2 12z"/>',
  print: '<path d="M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z"/>',
  refund: '<path d="M4.5 9.5h10a5 5 0 0 1 0 10h-6M8.5 5l-4.5 4.5L8.5 14"/>',
  warning: '<path d="M12 4 3 19.5h18zM12 10v4.5M12 16.8v.3"/>',
} as const

export type IconName = keyof typeof drawings

/** These are mirrored in right-to-left text. */
const pointing: ReadonlySet<IconName> = new Set(['arrow', 'back', 'out', 'refund'])

/** An icon. Screen readers skip it unless it has a `label`. */
export function icon(name: IconName, label?: string): Html {
  const aria = label === undefined ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': label }
  const shape = attributes({ class: pointing.has(name) ? 'icon icon-pointing' : 'icon', ...aria })
  return html`<svg${shape} viewBox="0 0 24 24" focusable="false">${new Html(drawings[name])}</svg>`
}

/** The product's logo: the rhombic dot (nuqta) of a reed pen. */
export const nuqtaMark = html`<svg class="mark" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="M12.6 1.9 22.4 10.4 11.4 22.1 1.6 13.6z"/></svg>`

/** What all pages of ours look like, on a phone first. Logical properties serve both directions of writing. */
const baseStyle = `
:root { color-scheme: light dark; --ink: #1c2321; --soft: #5b6662; --line: #d9dfdc; --paper: #ffffff; --back: #f3f6f4; --accent: #0b6b4f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e9efec; --soft: #a3afaa; --line: #35403b; --paper: #1a211e; --back: #111614; --accent: #6fd3b0; }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--ink); font: 1rem/1.6 system-ui, "Segoe UI", "Noto Sans Arabic", Tahoma, sans-serif; }
a { color: var(--accent); }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .5rem; }
code, pre { font-family: ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; font-size: .9em; direction: ltr; unicode-bidi: isolate; }
`

/** A single card in the middle. */
export const cardStyle = `${baseStyle}
main { max-inline-size: 28rem; margin: 8vh auto; padding: 1.5rem; background: var(--paper); border: 1px solid var(--line); border-radius: .75rem; }
@media (max-width: 30rem) { main { margin: 0; min-block-size: 100vh; border: 0; border-radius: 0; } }
p { margin: 0 0 1rem; color: var(--soft); }
dl { margin: 1rem 0; border-block-start: 1px solid var(--line); }
dl div { display: flex; justify-content: space-between; gap: 1rem; padding: .6rem 0; border-block-end: 1px solid var(--line); }
dt { color: var(--soft); }
dd { margin: 0; text-align: end; overflow-wrap: anywhere; }
.amount { font-size: 1.3rem; font-weight: 600; }
footer { font-size: .9rem; }
`

/** A long page to read and to search. */
export const docsStyle = `${baseStyle}
header, .columns { max-inline-size: 72rem; margin: 0 auto; padding: 1rem; }
.columns { display: grid; gap: 2rem; }
@media (min-width: 60rem) {
  .columns { grid-template-columns: 15rem minmax(0, 1fr); }
  nav { position: sticky; inset-block-start: 0; align-self: start; max-block-size: 100vh; overflow: auto; }
}
nav ul { margin: 0; padding: 0; list-style: none; }
nav h2 { font-size: .9rem; margin: 1rem 0 .25rem; color: var(--soft); }
h2 { font-size: 1.2rem; }
h3 { margin: 0 0 .25rem; }
h4 { margin: 1.25rem 0 .25rem; font-size: .95rem; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem; margin-block: 0 1.5rem; scroll-margin-block-start: 1rem; overflow-wrap: anywhere; }
.path { margin: .25rem 0; }
.soft { color: var(--soft); }
.fields, .alternatives { margin: .25rem 0; padding-inline-start: 1rem; border-inline-start: 2px solid var(--line); list-style: none; }
.fields li { padding: .15rem 0; }
table { border-collapse: collapse; inline-size: 100%; font-size: .95rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .6rem .3rem 0; border-block-end: 1px solid var(--line); }
th, td:not(:last-child) { white-space: nowrap; overflow-wrap: normal; }
.failure { display: flex; gap: .75rem; }
.failure ul { margin: 0 0 .5rem; padding: 0; list-style: none; }
pre { overflow: auto; padding: .75rem; background: var(--back); border-radius: .4rem; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; }
em { font-style: normal; font-size: .8em; color: var(--accent); }
`

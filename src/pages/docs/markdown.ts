import type { MarkdownIt, Token } from 'markdown-it'

/** Titles of the guides, by the name of their file. */
export type Titles = ReadonlyMap<string, string>

/** The library costs 40 ms and 16 MB, so it is loaded when a guide is first read. */
export async function loadMarkdown(): Promise<MarkdownIt> {
  const { default: Markdown } = await import('markdown-it')
  const markdown = new Markdown({ html: false })
  const { rules } = markdown.renderer
  rules['table_open'] = () => '<div class="table" tabindex="0"><table>'
  rules['table_close'] = () => '</table></div>'
  // Cells in Arabic, such as those of the errors, are read from the right.
  rules['td_open'] = () => '<td dir="auto">'
  rules['fence'] = (all, index) =>
    `<pre tabindex="0"><code>${markdown.utils.escapeHtml(all[index]?.content ?? '')}</code></pre>\n`
  return markdown
}

/** How guides are rendered: with links to the others, which keep the query of the page. */
export interface Rendering {
  readonly markdown: MarkdownIt
  readonly titles: Titles
  /** The text in English, whose anchors a translation keeps: a link leads to the same place in every language. */
  readonly original?: string
}

/** A comment below the heading of a guide tells its authors where the text comes from. Readers do not see it. */
const origin = /^(# .+\n+)<!--.*-->\n/

/** Takes a guide in Markdown; gives HTML with anchors. HTML in a guide is shown as text. */
export function renderMarkdown(text: string, { markdown, titles, original = text }: Rendering, query: string): string {
  const tokens = markdown.parse(text.replace(origin, '$1'), {})
  const anchors = headingsIn(markdown.parse(original, {})).map(anchorOf)
  for (const token of tokens) {
    if (token.type === 'heading_open') token.attrSet('id', anchors.shift() ?? '')
    if (token.type === 'inline') token.children = linked(token.children ?? [], titles, query)
  }
  // A header cell without a text heads nothing.
  return markdown.renderer.render(tokens, markdown.options, {}).replaceAll('<th></th>', '<td></td>')
}

function headingsIn(tokens: readonly Token[]): string[] {
  return tokens.flatMap(({ type }, index) => (type === 'heading_open' ? [tokens[index + 1]?.content ?? ''] : []))
}

/** The anchor that a forge gives a heading, which links in the guides use. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}

/** Leads links between guides to their pages. A link to another file of the tree becomes plain text. */
function linked(children: Token[], guides: Titles, query: string): Token[] {
  let dropped = false
  return children.filter((token, index) => {
    if (token.type === 'link_close') return !dropped
    if (token.type !== 'link_open') return true
    const to = placeOf(String(token.attrGet('href') ?? ''), guides, query)
    dropped = to === null
    if (to === null) return false
    token.attrSet('href', to)
    const inner = children[index + 1]
    const title = guides.get(inner?.content.replace(/^docs\/|\.md$/g, '') ?? '')
    if (inner !== undefined && title !== undefined && inner.content.endsWith('.md')) inner.content = title
    return true
  })
}

function placeOf(href: string, guides: Titles, query: string): string | null {
  if (/^(https?:|mailto:|#)/.test(href)) return href
  const [, name = '', anchor = ''] = /^(?:\.\.\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  return guides.has(name) ? `/docs/${name}${query}${anchor}` : null
}

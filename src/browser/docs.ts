// /docs: searches the sections of all pages, copies code, and opens the reader's language in every sample.

type Row = readonly [page: string, heading: string, place: string, words: string]

function fold(text: string): string {
  return text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, '')
}

/** The best rows for all words that were typed: first those whose headings have them. */
function find(rows: readonly Row[], typed: string): Row[] {
  const words = fold(typed)
    .split(/\s+/)
    .filter((word) => word !== '')
  if (words.length === 0) return []
  const ranked = rows.flatMap((row) => {
    const [title, all] = [fold(`${row[0]} ${row[1]}`), fold(row[3])]
    if (!words.every((word) => title.includes(word) || all.includes(word))) return []
    return [{ row, rank: words.filter((word) => title.includes(word)).length }]
  })
  return ranked
    .sort((a, b) => b.rank - a.rank)
    .slice(0, 12)
    .map(({ row }) => row)
}

function searchIn(box: HTMLElement): void {
  const [input, list, status] = [
    box.querySelector('input'),
    box.querySelector('ul'),
    box.querySelector('[role=status]'),
  ]
  if (input === null || list === null || status === null) return
  const { search = '', query = '', none = '' } = box.dataset
  let rows: Promise<readonly Row[]> | undefined
  const load = (): Promise<readonly Row[]> => {
    rows ??= fetch(search + query).then((answer) => {
      if (!answer.ok) throw new Error(`the index of the search: ${answer.status}`)
      return answer.json()
    })
    // The next letter asks again.
    rows.catch(() => {
      rows = undefined
    })
    return rows
  }
  const show = async (): Promise<void> => {
    const found = find(await load(), input.value)
    list.replaceChildren(...found.map((row) => itemOf(row, query)))
    list.hidden = found.length === 0
    const told = found.length === 0 ? none : `${list.ariaLabel}: ${found.length}`
    status.textContent = input.value.trim() === '' ? '' : told
    status.classList.toggle('unseen', found.length > 0)
  }
  box.hidden = false
  input.addEventListener('input', () => void show().catch(() => undefined))
}

function itemOf([page, heading, place]: Row, query: string): HTMLElement {
  const [item, link, small] = [
    document.createElement('li'),
    document.createElement('a'),
    document.createElement('small'),
  ]
  const [path = '', anchor = ''] = place.split('#')
  link.href = path + query + (anchor === '' ? '' : `#${anchor}`)
  small.textContent = page
  // A heading in English begins where the page does.
  const [title, words] = [document.createElement('span'), document.createElement('bdi')]
  words.textContent = heading
  title.append(words)
  link.append(title, small)
  item.append(link)
  return item
}

function addCopying(block: HTMLElement, { copy = '', copied = '' }: DOMStringMap): void {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'docs-copy'
  button.textContent = copy
  button.lang = document.documentElement.lang
  button.addEventListener('click', () => {
    navigator.clipboard.writeText(block.textContent ?? '').then(
      () => {
        button.textContent = copied
      },
      () => undefined, // the reader can still select the text
    )
  })
  const frame = document.createElement('div')
  frame.className = 'docs-code'
  block.replaceWith(frame)
  frame.append(block, button)
}

function openLanguage(language: string): void {
  for (const one of document.querySelectorAll<HTMLDetailsElement>('details[data-language]'))
    one.open = one.dataset['language'] === language
}

for (const box of document.querySelectorAll<HTMLElement>('[data-search]')) searchIn(box)

const article = document.querySelector<HTMLElement>('[data-copy]')
if (article !== null && 'clipboard' in navigator)
  for (const block of article.querySelectorAll('pre')) addCopying(block, article.dataset)

for (const summary of document.querySelectorAll<HTMLElement>('details[data-language] > summary'))
  summary.addEventListener('click', (event) => {
    const details = summary.parentElement
    if (!(details instanceof HTMLDetailsElement) || details.open) return
    event.preventDefault()
    const before = summary.getBoundingClientRect().top
    openLanguage(details.dataset['language'] ?? '')
    scrollBy(0, summary.getBoundingClientRect().top - before)
  })

// On a phone the list of pages would stand before the text.
const pages = document.querySelector<HTMLDetailsElement>('.docs-pages')
if (pages !== null && matchMedia('(max-width: 56rem)').matches) pages.open = false

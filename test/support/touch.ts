import type { Page } from 'playwright-core'

/** The least size of what a finger presses, in pixels. */
const finger = 44

/**
 * What can be pressed on a page and is smaller than a finger, with the size that reacts to one: its own shape, what it adds to
 * that, its labels, and for a field the frame around it, less what lies above it.
 */
const measured = (within: string) => `(() => {
  const controls = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=menuitem], [role=option]'
  const frames = '.mantine-TagsInput-input, .mantine-PasswordInput-input, .input, .choice, .check'
  const isWithinSentence = (one) => one.matches('a') && getComputedStyle(one).display === 'inline' &&
    [...one.parentElement.childNodes].some((node) => node !== one && node.textContent.trim() !== '')
  const isHidden = (one) => !one.checkVisibility({ visibilityProperty: true }) || one.closest('[inert], [aria-hidden=true], .skip') !== null
  return [...document.querySelector(${JSON.stringify(within)}).querySelectorAll(controls)].flatMap((one) => {
    if (isHidden(one) || isWithinSentence(one)) return []
    const frame = one.matches('input') ? one.closest(frames) : null
    const parts = [one, ...(one.labels ?? []), ...(frame === null ? [] : [frame])]
    const { width, height } = one.getBoundingClientRect()
    const shown = Math.min(width, height) < 5 ? parts[1] ?? one : one
    shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = shown.getBoundingClientRect()
    const reacts = (x, y) => {
      const hit = document.elementFromPoint(x, y)
      return parts.some((part) => part.contains(hit))
    }
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    // A link to the content is above the page until it has the focus.
    if (y < 0) return []
    const reach = (right, down) => {
      let far = 0
      while (far < ${finger} && reacts(x + right * (far + 1), y + down * (far + 1))) far += 1
      return far
    }
    const size = reacts(x, y) ? [reach(-1, 0) + reach(1, 0) + 1, reach(0, -1) + reach(0, 1) + 1] : [0, 0]
    return Math.min(...size) < ${finger} ? [size.join(' x ') + ': ' + one.outerHTML.slice(0, 200)] : []
  })
})()`

/** Gives the targets of a page, or of a part of it, that are too small for fingers. Links within sentences may be. */
export function smallTargets(page: Page, within = ':root'): Promise<string[]> {
  return page.evaluate<string[]>(measured(within))
}

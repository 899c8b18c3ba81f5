import { useTexts } from '../texts/texts.tsx'

/** From what was to what becomes of it, in the direction in which the page is read: bidirectional text mirrors no arrow. */
export function Arrow() {
  return useTexts().dir === 'rtl' ? '←' : '→'
}

import { expect, it } from 'vitest'
import { testApp } from '../support/api.ts'
import { testBrowser } from '../support/browser.ts'
import { testDatabase } from '../support/database.ts'
import { portOfPages } from '../support/port.ts'

const port = await portOfPages()
const origin = `https://localhost:${port}`
testApp(testDatabase(), { port, public_url: origin })
const browser = testBrowser()

// "Your order at …" ran into both edges of a phone when the name of the shop had no space.
it('a sentence below an outcome breaks a word that is too long for it', async () => {
  const page = await browser.open({ origin, width: 360 })
  await page.goto(`${origin}/nowhere`)
  const room = await page.evaluate<number>(`(() => {
    const sentence = document.querySelector('.outcome p')
    sentence.textContent = '${'W'.repeat(60)}'
    return sentence.parentElement.clientWidth - sentence.getBoundingClientRect().width
  })()`)
  expect(room).toBeGreaterThanOrEqual(0)
})

import { expect, it } from 'vitest'
import { contrastRatio, parseColour, part_contrast } from '../../src/domain/colour.ts'
import { testBrowser } from '../support/browser.ts'
import { openDashboard } from '../support/dashboard.ts'
import { testDatabase } from '../support/database.ts'
import { TestClock } from '../support/earnings.ts'
import { staffedShop } from '../support/staff-pages.ts'

// Switches, boxes and circles that are off stood in a grey that the paper hid (WCAG 1.4.11), which axe does not examine.

const database = testDatabase()
const browser = testBrowser()
const staff = staffedShop(database, new TestClock('2026-02-01T09:00:00.000Z'))

it.each([false, true])('a switch that is off has an edge visible against the paper: dark %s', async (dark) => {
  const path = staff.pathOf('settings/payment')
  const page = await openDashboard(browser, { origin: staff.origin, path, dark })
  const colourOf = async (part: string, property: string) => {
    const style = `getComputedStyle(document.querySelector(${JSON.stringify(part)})).${property}`
    const channels = (await page.evaluate<string>(style)).match(/\d+/g) ?? []
    const hex = channels.map((channel) => Number(channel).toString(16).padStart(2, '0')).join('')
    const colour = parseColour(`#${hex}`)
    if (colour === null) throw new Error(`${part} has no plain colour: ${hex}`)
    return colour
  }
  const paper = await colourOf('section:has(.mantine-Radio-radio)', 'backgroundColor')
  const circle = await colourOf('.mantine-Radio-radio:not(:checked)', 'borderTopColor')
  const track = await colourOf('.mantine-Switch-input:not(:checked) + .mantine-Switch-track', 'backgroundColor')
  for (const edge of [circle, track]) expect(contrastRatio(edge, paper)).toBeGreaterThan(part_contrast)
})

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Setting, type SettingName, settingNames, settings } from '../../src/config/settings.ts'
import { renderSettingsList } from '../../src/config/settings-list.ts'

function mistakesOf(name: SettingName, text: string): string[] {
  const mistakes: string[] = []
  settings[name].type.parse(text, (mistake) => mistakes.push(mistake))
  return mistakes
}

describe('the table of settings', () => {
  test('is what docs/settings.md lists', () => {
    expect(readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')).toBe(renderSettingsList())
  })

  test.each(settingNames)('%s accepts its example and its defaults', (name) => {
    const { example, default: always, production_default }: Setting<unknown> = settings[name]
    expect(mistakesOf(name, example)).toEqual([])
    for (const value of [always, production_default].filter((one) => one !== undefined && String(one) !== ''))
      expect(mistakesOf(name, String(value))).toEqual([])
  })
})

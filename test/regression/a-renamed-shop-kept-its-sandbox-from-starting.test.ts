import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createReadDemoStores } from '../../src/features/demo/stores.ts'
import { setBrand } from '../../src/features/merchants/brand.ts'
import { inTemporaryFolder } from '../http/support.ts'
import { testDatabase } from '../support/database.ts'
import { openSandbox } from '../support/sandbox.ts'

// A sandbox knew its first shop by its name. After its owner had renamed it, the next start made all shops and customers again,
// and ended with a duplicate phone. The front page and the demo shop took another shop for the first one.

const database = testDatabase()

/** An earlier version kept no places. */
const forgetPlaces = () => database.owner.run({ text: 'update merchant set demo_place = null', values: [] })

const stores = async () => (await createReadDemoStores(database.db)()).map(({ name }) => name)

test('a sandbox starts again with a renamed shop, also one of an earlier version', async () => {
  await inTemporaryFolder(async (folder) => {
    expect(await openSandbox(database.db, { folder })).toBe('made')
    expect(await openSandbox(database.db, { folder })).toBe('kept')
    await forgetPlaces()
    expect(await openSandbox(database.db, { folder })).toBe('kept')
    const [first] = await createReadDemoStores(database.db)()
    if (first === undefined) throw new Error('the first shop is missing')
    await setBrand(database.db, first, { name: 'Corner Café' }, new Date())
    expect(await stores()).toEqual(['Corner Café', 'محمصة سدرة', 'Layan Books'])
    expect(await openSandbox(database.db, { folder })).toBe('kept')
    expect(await stores()).toEqual(['Corner Café', 'محمصة سدرة', 'Layan Books'])
    // All were renamed before the upgrade.
    const renamed = ['Corner Café', 'Roastery', 'Bookshop']
    for (const [place, shop] of (await createReadDemoStores(database.db)()).entries())
      await setBrand(database.db, shop, { name: renamed[place] ?? '' }, new Date())
    await forgetPlaces()
    expect(await openSandbox(database.db, { folder })).toBe('kept')
    expect(await stores()).toEqual(renamed)
  })
})

// What to do about a key that is in another data directory named a shop that was not there any more.
test('new keys of a renamed shop are made by the command in sandbox.env', async () => {
  await inTemporaryFolder(async (folder) => {
    await openSandbox(database.db, { folder })
    const [first] = await createReadDemoStores(database.db)()
    if (first === undefined) throw new Error('the first shop is missing')
    await setBrand(database.db, first, { name: "Sara's Café" }, new Date())
    await inTemporaryFolder(async (other) => {
      expect(await openSandbox(database.db, { folder: other })).toBe('elsewhere')
      expect(readFileSync(join(other, 'sandbox.env'), 'utf8')).toContain("nuqta keys regenerate 'Sara'\\''s Café'\n")
    })
  })
})

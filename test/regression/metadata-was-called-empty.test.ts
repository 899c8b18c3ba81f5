import { describe, expect, it } from 'vitest'
import { buildOpenApi } from '../../src/http/api/openapi.ts'
import { type ApiDescription, endpointsByTag } from '../../src/pages/docs/description.ts'
import { renderEndpoints } from '../../src/pages/docs/reference.ts'
import { routes } from '../../src/routes.ts'

// The API reference called the metadata of an order "An empty object", and said of a shipping address neither that it may be
// left out or null, nor that it takes more than its two known fields.

const description = buildOpenApi(routes) as ApiDescription
const pages = new Map(
  endpointsByTag(description).map(({ tag, endpoints }) => [
    tag,
    renderEndpoints(tag, endpoints, description)
      .text.replace(/<\/?(?:li|ul|p|em|span|code)[^>]*>/g, ' ')
      .replace(/\s+/g, ' '),
  ]),
)

describe('the API reference', () => {
  it.each(['Earning', 'Orders'])('says that metadata may have any fields: %s', (tag) => {
    expect(pages.get(tag)).toContain('metadata required object or null.')
    expect(pages.get(tag)).not.toContain('An empty object.')
  })

  it('calls an empty object so where nothing is in it', () => {
    expect(pages.get('Webhooks')).toContain('An empty object.')
  })

  it.each(['Earning', 'Checkout'])('says what a shipping address may be: %s', (tag) => {
    expect(pages.get(tag)).toContain(
      'shipping_address object or null. Up to 4 KiB. city and line1 are the known fields; others are kept as sent.',
    )
  })
})

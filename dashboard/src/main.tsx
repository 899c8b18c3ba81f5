import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './theme/fonts.css'
import '../../src/pages/design/tokens.css'
import './theme/base.css'
import './theme/touch.css'
import { isNotFound } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ApiFailure } from './api/failure.ts'
import { App } from './app/app.tsx'
import { followOtherTabs } from './app/choose-locale.ts'
import { MissingFile } from './app/later.ts'
import { prepareLocale } from './app/locale.ts'
import { style_nonce } from './app/page-facts.ts'

// The package that keeps the page behind a dialog from scrolling adds a style, and reads its nonce from here.
Object.assign(globalThis, { __webpack_nonce__: style_nonce })

/** Reports errors that no page explains: those are bugs of ours. */
function reportUnknown(error: unknown): void {
  if (!(error instanceof ApiFailure) && !isNotFound(error) && !(error instanceof MissingFile)) reportError(error)
}

const place = document.getElementById('app')
if (place === null) throw new Error('index.html has no #app')
await prepareLocale()
followOtherTabs()
document.querySelector('.not-loaded')?.remove()
createRoot(place, { onCaughtError: reportUnknown }).render(
  <StrictMode>
    <App />
  </StrictMode>,
)

import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const folder = fileURLToPath(new URL('.', import.meta.url))

/** `tools/build.mjs` gives the output folder. `npx vite dashboard` serves the sources, beside a service on port 8443. */
export default defineConfig({
  root: folder,
  base: '/dashboard/',
  plugins: [react(), schemeTokens()],
  build: {
    // What has come to all browsers of the last two and a half years.
    target: 'baseline-widely-available',
    // Fonts and pictures stay files: the pages' policy admits no data: fonts.
    assetsInlineLimit: 0,
    // A page's own styles are a few hundred bytes. Vite does not load styles again that could not be loaded once.
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // What every page loads at once compresses better in one file.
            { name: 'first', tags: ['$initial'], priority: 2 },
            // Each small part that pages share would be a request of its own, and a browser sends six at a time.
            // What forms alone need stays out of it: the pages with the most else have none.
            {
              name: 'shared',
              minShareCount: 8,
              priority: 1,
              test: /^(?!.*(?:ask-to-leave|use-awaits-secret|use-draft|useBlocker))/,
            },
          ],
        },
      },
    },
    // For the test of sizes, which asks what the first page loads.
    manifest: 'manifest.json',
  },
  server: { proxy: { '/dashboard/api': { target: 'https://localhost:8443', secure: false } } },
})

/**
 * The tokens are those of the hosted pages, where the dark ones follow the system. Here people can choose, and Mantine
 * says by an attribute what they chose.
 */
function schemeTokens(): Plugin {
  return {
    name: 'nuqta-scheme-tokens',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('/design/tokens.css')) return null
      const system = /@media \(prefers-color-scheme: dark\) \{\s*:root \{([^}]*)\}\s*\}/
      if (!system.test(code)) throw new Error('tokens.css has no dark tokens')
      return code.replace(system, ':root[data-mantine-color-scheme="dark"] {$1}')
    },
  }
}

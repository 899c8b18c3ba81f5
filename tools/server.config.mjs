// Bundles the service and its commands. A start spent most of its time on finding and linking 960 small modules.
import { fileURLToPath } from 'node:url'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

/** Its modules need each other in the order of their imports, which chunks do not keep. It stays as npm installs it. */
const apart = ['@simplewebauthn/server']

/** A module finds files by its own address. In a bundle, which lies at the top of dist/, it has to be told where it was. */
const addresses = {
  name: 'addresses',
  enforce: 'pre',
  transform(code, id) {
    if (!id.startsWith(sources) || !code.includes('import.meta.url')) return null
    const place = id.slice(sources.length).replace(/\.ts$/, '.js')
    return { code: code.replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`), map: null }
  },
}

/** For Vite, which builds the dashboard as well. */
export default {
  logLevel: 'warn',
  plugins: [addresses],
  build: {
    ssr: true,
    minify: false,
    target: 'node26',
    copyPublicDir: false,
    emptyOutDir: true,
    rolldownOptions: {
      // The second runs in a thread of its own.
      input: { main: `${sources}main.ts`, 'bench/receiver': `${sources}bench/receiver.ts` },
      // A running service never loads a bundle of another build: they pass each other what they share under short names.
      output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true, external: apart, target: 'node' },
}

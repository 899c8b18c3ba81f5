// Bundles the packages that have hundreds of small files: each file that a start reads costs a third of a millisecond or more.
export const bundled = ['kysely', 'typebox', 'typebox/compile', 'typebox/system']

/** The name of the bundle of a package, without its ending. */
export const bundleOf = (name) => name.replace('/', '-')

/** For Vite, which builds the dashboard as well. */
export default {
  logLevel: 'warn',
  build: {
    ssr: true,
    minify: false,
    target: 'node22',
    copyPublicDir: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: Object.fromEntries(bundled.map((name) => [bundleOf(name), name])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
    },
  },
  ssr: { noExternal: true, target: 'node' },
}

import { readFileSync } from 'node:fs'
import { root } from './tree.ts'

/** The paths that the last stage of the Dockerfile copies from the project, built or not, without the packages. */
export function filesOfImage(): string[] {
  const last =
    readFileSync(`${root}Dockerfile`, 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? ''
  return [...last.matchAll(/^COPY (?:--from=build \/build\/(\S+)|([^-].*)) \S+$/gm)].flatMap(([, built, given]) =>
    built === undefined ? (given ?? '').split(' ') : [built],
  )
}

/** The packages that `npm ci --omit=dev --omit=optional` installs, as folders of the project. */
export function packagesOfImage(): string[] {
  const { packages } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
    packages: Record<string, { dev?: true; optional?: true; devOptional?: true }>
  }
  return Object.entries(packages).flatMap(([folder, { dev, optional, devOptional }]) =>
    folder === '' || dev || optional || devOptional ? [] : [folder],
  )
}

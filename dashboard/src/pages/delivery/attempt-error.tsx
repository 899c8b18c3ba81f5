import { useTexts } from '../../texts/texts.tsx'
import { errorTexts } from './error-texts.ts'

/** Why an attempt failed, in the language of the reader where the service named a code that we know. */
export function AttemptError({ error }: { error: string }) {
  const { t } = useTexts()
  const code = /\((\w+)\)$/.exec(error)?.[1] ?? ''
  const text = errorTexts[code]
  if (text === undefined) return <bdi>{error}</bdi>
  return (
    <span>
      {t(text)} <code dir="ltr">{code}</code>
    </span>
  )
}

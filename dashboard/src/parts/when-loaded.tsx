import { Button, Stack } from '@mantine/core'
import { CatchBoundary, type ErrorComponentProps } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useMemo } from 'react'
import { ApiFailure } from '../api/failure.ts'
import { forgetFailedFiles, MissingFile } from '../app/later.ts'
import { hasUnsaved } from '../app/unsaved.ts'
import { useTexts } from '../texts/texts.tsx'
import { BareDialog } from './bare-dialog.tsx'
import { failureText } from './failure-text.ts'

interface Props {
  /** Gives it up. Without it, the dialog stays until another try succeeds. */
  readonly onClose?: (() => void) | undefined
  /** Called when it could not be loaded. */
  readonly onFailed?: (() => void) | undefined
}

/**
 * Around what opens over the page and is loaded then. If the service cannot be reached, a dialog says so, and tries again. Where a
 * page with changes would have to be loaded anew, a dialog says that.
 */
export function WhenLoaded({ onClose, onFailed, children }: Props & { children: ReactNode }) {
  const Failed = useMemo(
    () => (props: ErrorComponentProps) => <NotLoaded {...props} onClose={onClose} onFailed={onFailed} />,
    [onClose, onFailed],
  )
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={Failed}>
      <Suspense>{children}</Suspense>
    </CatchBoundary>
  )
}

function NotLoaded({ error, reset, onClose, onFailed }: ErrorComponentProps & Props) {
  const { t } = useTexts()
  useEffect(() => {
    forgetFailedFiles()
    onFailed?.()
  }, [onFailed])
  const isOfFormerBuild = error instanceof MissingFile && hasUnsaved()
  // The page says it, or is loaded anew.
  if (!(error instanceof ApiFailure || isOfFormerBuild)) throw error
  const canClose = onClose !== undefined
  return (
    <BareDialog
      opened
      onClose={() => onClose?.()}
      title={t(isOfFormerBuild ? 'common.new_version' : 'common.failed')}
      withCloseButton={canClose}
      closeOnEscape={canClose}
      closeOnClickOutside={canClose}
    >
      <Stack align="flex-start">
        <p>{isOfFormerBuild ? t('common.new_version_lead') : failureText(error, t)}</p>
        {isOfFormerBuild ? (
          <Button variant="default" onClick={() => location.reload()}>
            {t('common.reload')}
          </Button>
        ) : (
          <Button data-autofocus onClick={reset}>
            {t('common.retry')}
          </Button>
        )}
      </Stack>
    </BareDialog>
  )
}

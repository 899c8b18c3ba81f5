import { Button, Group, Stack } from '@mantine/core'
import { AskToLeave } from '../../parts/ask-to-leave.tsx'
import { CopyButton } from '../../parts/copy-button.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { useAwaitsSecret } from '../../parts/use-awaits-secret.ts'
import { useTexts } from '../../texts/texts.tsx'
import classes from './account.module.css'

/** Shows new recovery codes this once, so it closes by its button alone. From the press on, leaving the page asks. */
export function RecoveryCodes({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTexts()
  const awaited = useAwaitsSecret()
  return (
    <>
      <Dialog
        opened={codes.length > 0}
        onClose={onClose}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title={t('account.codes_title')}
      >
        <Stack>
          <p>{t('account.codes_lead')}</p>
          <ul className={classes.codes}>
            {codes.map((code) => (
              <li key={code}>
                <code>{code}</code>
              </li>
            ))}
          </ul>
          <Group justify="space-between">
            <CopyButton value={codes.join('\n')} what={t('account.codes_all')} />
            <Button onClick={onClose}>{t('account.codes_kept')}</Button>
          </Group>
        </Stack>
      </Dialog>
      <AskToLeave changed={codes.length > 0 || awaited}>{t('account.codes_lead')}</AskToLeave>
    </>
  )
}

import { NativeSelect } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { BROWSER_LANGUAGE, chooseLanguage, LANGUAGES, languageName } from '../languages/language.ts';
import { t } from '../languages/translate.ts';
import { headwater, useSession } from '../service/session.ts';
import { Card } from '../shared/card.tsx';

/** The language of the dashboard and of mails, wherever the person signs in. */
export function LanguageForm() {
  const { user } = useSession();
  const change = useMutation({
    mutationFn: (language: string | null) => headwater.changeUser({ language }),
    onSuccess: (_, language) => {
      chooseLanguage(language);
      window.location.reload();
    },
  });
  return (
    <Card title={t('Language')}>
      <NativeSelect
        aria-label={t('Language')}
        description={t('The dashboard and the mails to you are in this language.')}
        maw={320}
        disabled={change.isPending}
        value={user.language ?? ''}
        data={[
          { value: '', label: t('As in the browser ({name})', { name: languageName(BROWSER_LANGUAGE) }) },
          ...LANGUAGES.map((value) => ({ value, label: languageName(value) })),
        ]}
        onChange={(event) => change.mutate(event.currentTarget.value || null)}
      />
    </Card>
  );
}

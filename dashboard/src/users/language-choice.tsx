import { NativeSelect } from '@mantine/core';
import { chooseLanguage, LANGUAGE, LANGUAGES, languageName } from '../languages/language.ts';
import { t } from '../languages/translate.ts';

/** The language on this device, for who is not signed in. */
export function LanguageChoice() {
  return (
    <NativeSelect
      mt="xl"
      size="xs"
      maw={160}
      aria-label={t('Language')}
      data={LANGUAGES.map((value) => ({ value, label: languageName(value) }))}
      value={LANGUAGE}
      onChange={(event) => {
        if (chooseLanguage(event.currentTarget.value)) window.location.reload();
      }}
    />
  );
}

import { isHeadwaterError } from '@headwater/sdk';
import { Alert } from '@mantine/core';
import { useState } from 'react';
import { t } from '../languages/translate.ts';
import { errorMessage } from '../shared/error-messages.ts';

/** Saves a schema whose change would hide values of entries only when the same draft is saved again. */
export function useDataLoss<Draft>() {
  const [refused, setRefused] = useState<Draft>();
  return {
    refused,
    async save<Saved>(draft: Draft, send: (allowed: { allowDataLoss?: true }) => Promise<Saved>): Promise<Saved> {
      try {
        return await send(draft === refused ? { allowDataLoss: true } : {});
      } catch (error) {
        setRefused(isHeadwaterError(error, 'data_loss') ? draft : undefined);
        throw error;
      }
    },
  };
}

/** The sentence of the error that is for users of the API. */
const HOW = / Send "allowDataLoss".*/;

interface SchemaErrorProps {
  error: unknown;
  hasFields: boolean;
  isRefused: boolean;
}

/** Why a schema was not saved. */
export const SchemaError = ({ error, hasFields, isRefused }: SchemaErrorProps) => (
  <Alert
    color={isRefused ? 'orange' : 'red'}
    variant="light"
    role="alert"
    title={isRefused ? t('This hides values') : t("Couldn't save")}
  >
    {isRefused
      ? `${errorMessage(error).detail.replace(HOW, '')} ${t('Save again to do it anyway.')}`
      : hasFields
        ? t('Fix the highlighted fields.')
        : errorMessage(error).detail}
  </Alert>
);

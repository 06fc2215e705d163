export const LABELS: Record<string, string> = {
  'account.created': 'Created the account',
  'account.deleted': 'Deleted the account',
  'account.changed': 'Changed the account',
  'collection.created': 'Created a collection',
  'collection.changed': 'Changed a collection',
  'collection.deleted': 'Deleted a collection',
  'collection.restored': 'Restored a collection',
  'collection.removed': 'Permanently deleted a collection',
  'conversion_import.created': 'Created an import of conversions',
  'conversion_import.undone': 'Undid an import of conversions',
  'conversion.corrected': 'Corrected an unmatched conversion',
  'conversion.unmatched_deleted': 'Deleted an unmatched conversion',
  'conversion.reported': 'Reported a conversion',
  'conversion.restated': 'Adjusted a conversion',
  'conversions.reported': 'Reported conversions',
  'entry.created': 'Created an entry',
  'entry.changed': 'Changed an entry',
  'entry.deleted': 'Deleted an entry',
  'entry.restored': 'Restored an entry',
  'entry.published': 'Published an entry',
  'entry.unpublished': 'Unpublished an entry',
  'entry.draft_discarded': 'Discarded the draft of an entry',
  'entry.removed': 'Permanently deleted an entry',
  'export.started': 'Started an export',
  'file.uploaded': 'Uploaded a file',
  'file.changed': 'Changed a file',
  'file.replaced': 'Replaced a file',
  'file.deleted': 'Deleted a file',
  'import.uploaded': 'Uploaded a CSV of entries',
  'import.started': 'Imported a CSV of entries',
  'import.undone': 'Undid an import of entries',
  'invitation.created': 'Created an invitation',
  'invitation.revoked': 'Revoked an invitation',
  'job.cancelled': 'Canceled a job',
  'key.created': 'Created an API key',
  'key.renamed': 'Renamed an API key',
  'key.revoked': 'Revoked an API key',
  'lead.erased': 'Erased a lead',
  'lead.notes_changed': 'Changed the notes about a lead',
  'member.changed': 'Changed a member',
  'member.joined': 'Joined the account',
  'member.left': 'Left the account',
  'member.removed': 'Removed a member',
  'member.reset_link_created': 'Created a password reset link',
  'tracking_settings.changed': 'Changed the tracking settings',
  'unused_files.deleted': 'Started deleting unused files',
  'user.email_changed': 'Changed their email',
  'user.passkey_added': 'Added a passkey',
  'user.passkey_deleted': 'Deleted a passkey',
  'user.recovery_codes_replaced': 'Created new recovery codes',
  'user.two_factor_disabled': 'Disabled two-factor authentication',
  'user.two_factor_enabled': 'Enabled two-factor authentication',
  'user.password_changed': 'Changed their password',
  'rejected_requests.deleted': 'Deleted the rejected requests',
  'shared_link.changed': 'Changed a shared link',
  'shared_link.created': 'Shared a report',
  'shared_link.deleted': 'Revoked a shared link',
  'view.saved': 'Saved a view',
  'view.deleted': 'Deleted a saved view',
  'webhook.created': 'Created a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.replayed': 'Retried webhook deliveries',
  'webhook.secret_rotated': 'Rotated the secret of a webhook',
};

/** An action of the audit log; an unknown `thing.was_done` becomes "Thing: was done". */
export function actionLabel(action: string): string {
  return LABELS[action] ?? capitalize(action.replace('.', ': ').replaceAll('_', ' '));
}

/** `focalPoint` becomes "Focal point". */
export function memberLabel(name: string): string {
  if (name.includes('.')) return name;
  return capitalize(name.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

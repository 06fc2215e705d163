/** What was done, in words, by the action of the log. One that is not here is shown as it is called. */
const WORDS: Record<string, string> = {
  'account.created': 'Made the account',
  'account.changed': 'Changed the account',
  'collection.created': 'Made a collection',
  'collection.changed': 'Changed a collection',
  'collection.deleted': 'Deleted a collection',
  'collection.restored': 'Brought back a collection',
  'collection.removed': 'Removed a collection for good',
  'conversion.reported': 'Reported a conversion',
  'conversion.restated': 'Restated a conversion',
  'conversions.reported': 'Reported conversions',
  'entry.created': 'Made an entry',
  'entry.changed': 'Changed an entry',
  'entry.deleted': 'Deleted an entry',
  'entry.restored': 'Brought back an entry',
  'entry.removed': 'Removed an entry for good',
  'export.started': 'Started an export',
  'file.uploaded': 'Uploaded a file',
  'file.changed': 'Changed a file',
  'file.replaced': 'Replaced a file',
  'file.deleted': 'Deleted a file',
  'import.uploaded': 'Uploaded a CSV of entries',
  'import.started': 'Imported a CSV of entries',
  'import.undone': 'Undid an import of entries',
  'invitation.created': 'Invited somebody',
  'invitation.revoked': 'Took back an invitation',
  'job.cancelled': 'Cancelled a job',
  'key.created': 'Made an API key',
  'key.renamed': 'Renamed an API key',
  'key.revoked': 'Revoked an API key',
  'lead.erased': 'Erased a lead',
  'member.changed': 'Changed a member',
  'member.joined': 'Joined the account',
  'member.left': 'Left the account',
  'member.removed': 'Removed a member',
  'member.reset_link_made': 'Made a link to set a new password',
  'tracking_settings.changed': 'Changed the tracking settings',
  'unused_files.deleted': 'Began to delete unused files',
  'user.password_changed': 'Changed their password',
  'webhook.created': 'Made a webhook',
  'webhook.changed': 'Changed a webhook',
  'webhook.deleted': 'Deleted a webhook',
  'webhook.replayed': 'Sent webhook deliveries again',
  'webhook.secret_rotated': 'Made a new secret for a webhook',
};

/** `thing.was_done` is "Thing: was done". */
export function wordsOf(action: string): string {
  const plain = action.replace('.', ': ').replaceAll('_', ' ');
  return WORDS[action] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
}

/** `focalPoint` is "Focal point". */
export function nameInWords(name: string): string {
  if (name.includes('.')) return name;
  const words = name.replace(
    /([a-z])([A-Z])/g,
    (_, before: string, after: string) => `${before} ${after.toLowerCase()}`,
  );
  return words.charAt(0).toUpperCase() + words.slice(1);
}

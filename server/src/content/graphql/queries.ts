import { statement } from '../../shared/postgres/statement.ts';

/** The collections that everyone can read, oldest first. */
export const findPublicVersions = statement('content.find_public_versions', { account_id: 'uuid' }).returns<{
  id: string;
  version: number;
}>(
  `select id, version from collections
   where account_id = :account_id and status = 'active' and public and publishing and not purging
   order by created_at, id`,
);

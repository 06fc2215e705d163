/** What `headwater --help` prints. */
export const USAGE = `headwater: manage a Headwater service

  headwater start                                 run the service until it receives SIGTERM

Accounts and API keys
  headwater accounts create <name> [--cell <name>]
  headwater accounts list
  headwater tokens create --account <id> --name <name> [--type secret|publishable|postback]
                           [--role <id or key>] [--expires <time>] [--allow <address or range>]…
  headwater tokens list --account <id>
  headwater tokens revoke <id>

Cells: further databases for accounts
  headwater cells list                            size, load and lag of each cell, and the accounts on their way between cells
  headwater cells add <name> <postgres://…> [--schema <name>] [--replica <postgres://…>]
  headwater cells status                          the same
  headwater cells open|close <name>               whether new accounts are created there
  headwater accounts move <id> <cell>             while the account is used; repeat it after an interruption
  headwater accounts move <id> --cancel           stop a move that has not switched yet
  headwater cells drain <name> [--to <name>]      move all accounts of a cell to others
  headwater cells move <name> <postgres://…> [--schema <name>] [--replica <postgres://…>]
                                                  move all accounts to another database
  headwater cells move <name> --node <host:port>  move the cell to another node of its Citus cluster
  headwater cells rebalance [--strategy <name>]   spread cells over the nodes of their Citus clusters

Dashboard users
  headwater users first-run-link
  headwater users list
  headwater users invite --account <id> [--role owner|editor|viewer] [--email <email>]
  headwater users reset-link <email>
  headwater users confirm-email <email>           take an email to be the user's own, without mail
  headwater users disable-two-factor <email>
  headwater users operator <email> [--revoke]     let a user see backups and cells in the dashboard
  headwater sso optional --account <id>           let members sign in by password again
  headwater sso prove-domain <domain> --account <id>

Schema: collections, components, locales and webhooks as code
  headwater schema pull [--file headwater.schema.ts]   write the schema to a file
  headwater schema diff [--file …] [--exit-code]       what a push would change, and which of it loses data
  headwater schema push [--file …] [--allow-data-loss] make the schema what the file says, in one transaction
  headwater schema undo <id> [--allow-data-loss]       restore the schema before a push of the last 30 days
    all: [--account <id>], or [--url <url of the service>] with HEADWATER_TOKEN

Webhooks
  headwater webhooks create --account <id> --url <url> [--events <topic>,…] [--description <text>]
  headwater webhooks list --account <id>
  headwater webhooks get|delete|rotate-secret|test <id> --account <id>
  headwater webhooks update <id> --account <id> [--url …] [--events <topic>,…|all] [--description …] [--status active|disabled]
  headwater webhooks deliveries <id> --account <id> [--status pending|delivered|failed] [--type <topic>] [--delivery <id>]
  headwater webhooks replay <id> --account <id> (--delivery <id> | --status failed|delivered [--from <time>] [--to <time>])

Backup
  headwater backup <file|folder/|s3://…> [--recipient <public key>] [--cell <name>]
  headwater backup list <folder|s3://…>
  headwater backup verify <file|folder|s3://…> [--backup <name>] [--identity <file>]
  headwater backup verify <folder|s3://…> --to <time>|latest [--identity <file>]   verify continuous backups
  headwater backup key                            create a pair of keys for encrypted backups
  headwater restore <file|folder|s3://…> [--backup <name>] [--identity <file>] [--cell <name>]
  headwater restore <folder|s3://…> --to <time>|latest [--identity <file>]   restore continuous backups

Master key: encrypts the secrets in the database
  headwater secret status                         which keys there are, and what they encrypt
  headwater secret add                            add a key to SECRET_KEY_FILE, to copy the file to other machines before \`rotate\`
  headwater secret rotate                         encrypt with a new key, while the service is running
  headwater secret reset                          give up what a lost key has encrypted, so that the service starts

Other
  headwater doctor                                check settings, disk, clock, database, files and backups
  headwater health                                exit with 0 if the service on this machine is ready
  headwater files migrate --to <STORAGE_URL>      copy all files to another storage
  headwater demo [--size small|medium|large]      create an account with 60 days of sample data
  headwater import contentful|directus|payload|strapi <path> [--source <name>] [--dry-run] [--url <url of the service>]   import content of another system
  headwater import csv <file> --collection <name or id> [--key <field>] [--dry-run] [--url …]   import entries
  headwater import plausible <file>|umami <database url> [--website <domain>] [--values] [--emails] [--dry-run] [--url …]
                                                  import visits and events
  headwater forecast <triangle.json>              factors, ultimates and standard errors of a cumulative triangle (chain ladder)
  headwater statistics <arms.json>                 confidence sequences and sample ratio of the arms of an experiment
  headwater types [--url <url of the service>]    print TypeScript types for the collections of an account

Options
  --json   print the result as JSON
  --help   print this help

Run commands on the machine of the service, with the same DATA_DIR or DATABASE_URL. The service may be running or stopped.
\`import\`, \`types\`, and \`schema\` with a token, run anywhere: they call the service (default http://localhost:3000) with the secret token in HEADWATER_TOKEN.`;

export class UsageError extends Error {}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value.trim() === '') throw new UsageError(`${what} is required`);
  return value;
}

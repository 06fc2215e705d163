/** What `headwater --help` prints. */
export const USAGE = `headwater: manage a Headwater service

  headwater start                                 run the service until it receives SIGTERM

Accounts and API keys
  headwater accounts create <name> [--cell <name>]
  headwater accounts list
  headwater tokens create --account <id> --name <name> [--type secret|publishable|postback]
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
  headwater users disable-two-factor <email>
  headwater users operator <email> [--revoke]     let a user see backups and cells in the dashboard

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

Other
  headwater doctor                                check settings, disk, clock, database, files and backups
  headwater health                                exit with 0 if the service on this machine is ready
  headwater files migrate --to <STORAGE_URL>      copy all files to another storage
  headwater demo [--size small|medium|large|huge] create an account with 60 days of sample data
  headwater import contentful|directus|strapi <path> [--url <url of the service>]   import content of another system
  headwater import csv <file> --collection <name or id> [--key <field>] [--dry-run] [--url …]   import entries
  headwater import plausible <file>|umami <database url> [--website <domain>] [--url …]   import visits and events
  headwater types [--url <url of the service>]    print TypeScript types for the collections of an account

Options
  --json   print the result as JSON
  --help   print this help

Run commands on the machine of the service, with the same DATA_DIR or DATABASE_URL. The service may be running or stopped.
\`import\` and \`types\` run anywhere: they call the service (default http://localhost:3000) with the secret token in HEADWATER_TOKEN.`;

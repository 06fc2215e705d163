import { cellKills } from './cells/cell-kills.ts';
import { cellScaling } from './cells/cell-scaling.ts';
import { citusMoves } from './cells/citus-moves.ts';
import { citusRate } from './cells/citus-rate.ts';
import { clusterKills } from './cells/cluster-kills.ts';
import { changesFeed } from './changes-feed.ts';
import { databaseOutages } from './database-outages.ts';
import { destinations } from './destinations.ts';
import { diskFull } from './disk-full.ts';
import { floods } from './floods.ts';
import { freshness } from './freshness.ts';
import { fuzz } from './fuzz/fuzz.ts';
import { hostile } from './hostile/hostile.ts';
import { interleavings } from './interleavings.ts';
import { kill } from './kill.ts';
import { moveKills, moves } from './moves.ts';
import { neighbours } from './neighbours/neighbours.ts';
import type { Proof } from './proof.ts';
import { publicReads } from './public-reads.ts';
import { releases } from './releases.ts';
import { restatements } from './restatements.ts';
import { roles } from './roles.ts';
import { rollingRestarts, rollingUpgrade } from './rolling-restarts.ts';
import { sharedLimits } from './shared-limits.ts';
import { slowMachine } from './slow-machine.ts';
import { soak } from './soak.ts';
import { sql } from './sql.ts';

/** Every proof by its name in `npm run chaos -- <name>`. */
export const PROOFS = {
  kill,
  restatements,
  releases,
  'changes-feed': changesFeed,
  freshness,
  'disk-full': diskFull,
  'database-outages': databaseOutages,
  'rolling-restarts': rollingRestarts,
  'rolling-upgrade': rollingUpgrade,
  destinations,
  interleavings,
  'public-reads': publicReads,
  floods,
  neighbours,
  'slow-machine': slowMachine,
  roles,
  sql,
  moves,
  'move-kills': moveKills,
  'citus-moves': citusMoves,
  'citus-rate': citusRate,
  'cell-kills': cellKills,
  'cluster-kills': clusterKills,
  'cell-scaling': cellScaling,
  'shared-limits': sharedLimits,
  fuzz,
  hostile,
  soak,
} satisfies Record<string, Proof>;

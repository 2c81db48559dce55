import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { connected, ownerUrl } from "@/lib/testing/own-database";
import { upgraded } from "@/lib/testing/upgrade";

test.each([true, false])(
  "an upgrade by an owner who is no superuser drops the job queue of the previous release, where there is one: %s",
  async (isThere) => {
    const name = `repasse_test_${randomBytes(6).toString("hex")}`;
    const [owner, program] = [`${name}_owner`, `${name}_program`];
    const left = await upgraded(
      "_timed_jobs",
      async (client) => {
        await client.query(`create role ${program}; create role ${owner} createrole; grant ${program} to ${owner};
          grant create on schema public to ${owner}`);
        if (isThere) {
          await client.query(`create schema graphile_worker authorization ${program}; set role ${program};
            create type graphile_worker.job_spec as (identifier text);
            create table graphile_worker._private_jobs (id bigint primary key, payload json);
            create view graphile_worker.jobs as select * from graphile_worker._private_jobs;
            create function graphile_worker.add_jobs(specs graphile_worker.job_spec[]) returns setof graphile_worker.jobs
              language sql as 'select * from graphile_worker.jobs';
            insert into graphile_worker._private_jobs values (1, '{}')`);
        }
        await client.query(`set role ${owner}`);
      },
      async (client) => {
        await client.query("reset role");
        const text = `select to_regnamespace('graphile_worker') as queue, count(*)::int as jobs from timed_jobs`;
        return (await client.query(text)).rows;
      },
    ).finally(() => connected(ownerUrl(), (client) => client.query(`drop role if exists ${owner}, ${program}`)));
    expect(left).toEqual([{ queue: null, jobs: 0 }]);
  },
);

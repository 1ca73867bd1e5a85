"""Simulates a run of many shards on many workers: workers that die, slow shards, one scheduler.

python simulate.py [SHARDS] [WORKERS]
"""

import dataclasses
import heapq
import random
import sys


@dataclasses.dataclass(frozen=True)
class World:
    shards: int = 250_000
    workers: int = 1_000
    objects: int = 4_000
    # The bytes of a shard, and the bytes per second that a worker reads.
    bytes: float = 4e9
    rate: float = 125e6
    # The latency of a request, and the number of concurrent requests of a worker.
    latency: float = 0.03
    at_once: int = 16
    # Scheduler and client time per shard, in seconds; shards are handled sequentially. `cargo xtask bench-manifests`
    # measured 2.7 s for a million files.
    scheduler: float = 11e-3
    # Mean time between deaths of a worker, and until it is replaced.
    life: float = 24 * 3600.0
    back: float = 120.0
    # The fraction of slow shards, and their slowdown.
    straggler: float = 0.01
    slower: float = 10.0
    seed: int = 1


@dataclasses.dataclass
class Outcome:
    seconds: float
    begun: int
    deaths: int
    scheduler: float
    # The most shards that were done and waited for one before them.
    waiting: int
    done: list


def seconds(world, chance):
    """How long a shard takes a worker: the requests' waiting and the bytes, whichever is more."""
    alone = max(world.objects * world.latency / world.at_once, world.bytes / world.rate)
    factor = world.slower if chance.random() < world.straggler else chance.lognormvariate(0, 0.15)
    return alone * factor


def simulate(world):
    """Shards in their order to whichever worker is free, no further ahead than the client goes."""
    chance = random.Random(world.seed)
    ahead = 4 * world.workers + 4
    events = []
    idle = list(range(world.workers))
    lost, running = [], {}
    now = busy_until = worked = 0.0
    next_shard = first = begun = deaths = most = 0
    done = bytearray(world.shards)
    count = 0
    for worker in range(world.workers):
        heapq.heappush(events, (chance.expovariate(1 / world.life), "dies", worker, 0))
    turn = 0
    while count < world.shards:
        while idle:
            if lost:
                shard = heapq.heappop(lost)
            # The condition of engines.too_far, for running and queued shards.
            elif next_shard < world.shards and next_shard - first < 32 * ahead:
                shard, next_shard = next_shard, next_shard + 1
            else:
                break
            worker = idle.pop()
            busy_until = max(busy_until, now) + world.scheduler
            worked += world.scheduler
            begun += 1
            turn += 1
            running[worker] = shard, turn
            heapq.heappush(events, (busy_until + seconds(world, chance), "done", worker, turn))
        now, what, worker, which = heapq.heappop(events)
        if what == "done" and running.get(worker, (0, 0))[1] == which:
            shard, _ = running.pop(worker)
            assert not done[shard], "a shard was done twice"
            done[shard] = 1
            count += 1
            while first < world.shards and done[first]:
                first += 1
            most = max(most, count - first)
            idle.append(worker)
        elif what == "dies":
            deaths += 1
            if worker in running:
                heapq.heappush(lost, running.pop(worker)[0])
            elif worker in idle:
                idle.remove(worker)
            heapq.heappush(events, (now + world.back, "back", worker, 0))
        elif what == "back":
            idle.append(worker)
            heapq.heappush(events, (now + chance.expovariate(1 / world.life), "dies", worker, 0))
    return Outcome(now, begun, deaths, worked / now, most, done)


def main(shards=World.shards, workers=World.workers):
    print("| scenario | hours | shards started | workers lost | scheduler busy | shards waiting |")
    print("|---|---:|---:|---:|---:|---:|")
    worlds = {
        "the assumptions above": {},
        "no failures, no slow shards": {"life": 1e12, "straggler": 0.0},
        "a worker dies every hour": {"life": 3600.0},
        "one shard in ten is ten times slower": {"straggler": 0.1},
        "10^9 objects of 4 KB (4 TB)": {"bytes": 16e6},
        "client and scheduler ten times slower": {"scheduler": 11e-2},
    }
    for name, change in worlds.items():
        found = simulate(World(shards=shards, workers=workers, **change))
        print(
            f"| {name} | {found.seconds / 3600:.2f} | {found.begun:,} | {found.deaths:,} "
            f"| {found.scheduler:.0%} | {found.waiting:,} |"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

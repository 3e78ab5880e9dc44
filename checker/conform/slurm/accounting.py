"""Slurm's accounting in a sandbox: MariaDB and slurmdbd, for mappings whose limits are QOS and accounts.

Both run as long as the sandbox. Names of QOS and accounts are of one wave of lanes each and stay where they are, since
slurmdbd keeps what jobs have used. Trusted: Debian's packages, as they are.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from subprocess import Popen
from time import monotonic, sleep

from ..backend import BackendError
from ..real.cluster import ClusterError
from ..real.sandbox import INSIDE, Ended, Sandbox
from .layout import Layout

PACKAGES = "slurmdbd slurm-wlm-mysql-plugin mariadb-server"
TOOLS = ("slurmdbd", "sacctmgr", "mariadbd", "mariadb", "mariadb-install-db")
CLUSTER = "quotaproof"
EVERYBODY = "everybody"
"""The account of jobs that no other one limits."""
_DAEMON, _DATABASE = 17001, 17006
_TO_START = 60.0
_CONF = """AuthType=auth/munge
AuthInfo=socket={inside}/munge.socket
DbdHost=cluster
DbdAddr=127.0.0.1
DbdPort={daemon}
SlurmUser=root
DebugLevel=info
LogFile={inside}/slurmdbd.log
PidFile={inside}/slurmdbd.pid
StorageType=accounting_storage/mysql
StorageHost=127.0.0.1
StoragePort={database}
StorageUser=slurm
StoragePass=slurm
StorageLoc=slurm_acct_db
"""
_GRANTS = "CREATE DATABASE slurm_acct_db;" + "".join(
    f"CREATE USER 'slurm'@'{host}' IDENTIFIED BY 'slurm'; GRANT ALL ON slurm_acct_db.* TO 'slurm'@'{host}';"
    for host in ("127.0.0.1", "localhost")
)


class Accounting:
    """MariaDB and slurmdbd that run. munged must, and slurm.conf must be there."""

    def __init__(self, sandbox: Sandbox, env: Mapping[str, str]) -> None:
        """Start them. Raises BackendError where they are not installed, ClusterError where they do not start."""
        lacking()
        self._sandbox, self._env, self.folder = sandbox, env, sandbox.folder
        self._database()
        conf = self.folder / "slurmdbd.conf"
        conf.write_text(_CONF.format(inside=INSIDE, daemon=_DAEMON, database=_DATABASE))
        conf.chmod(0o600)
        daemon = sandbox.start("slurmdbd", ["slurmdbd", "-D"], env)
        self._until("slurmdbd", daemon, ["sacctmgr", "-nP", "show", "cluster"])
        self._told([f"add cluster {CLUSTER}", f"add account {EVERYBODY}", f"add user root account={EVERYBODY}"])

    def _database(self) -> None:
        data, socket = INSIDE / "mariadb", INSIDE / "mariadb.socket"
        self._sandbox.run(["mariadb-install-db", "--no-defaults", "--user=root", f"--datadir={data}", "--skip-test-db",
                           "--auth-root-authentication-method=normal"], seconds=_TO_START)  # fmt: skip
        # Nothing of it is to outlive the sandbox: it need not wait for the disk.
        daemon = self._sandbox.start("mariadbd", [
            "mariadbd", "--no-defaults", "--user=root", f"--datadir={data}", f"--socket={socket}",
            f"--pid-file={data}/pid", "--bind-address=127.0.0.1", f"--port={_DATABASE}", "--skip-log-bin",
            "--innodb-flush-log-at-trx-commit=0", "--innodb-flush-method=nosync", "--innodb-buffer-pool-size=64M",
            "--innodb-log-file-size=32M", "--innodb-lock-wait-timeout=900", "--performance-schema=OFF",
        ])  # fmt: skip
        client = ["mariadb", "--no-defaults", f"--socket={socket}", "-u", "root", "-e"]
        self._until("mariadbd", daemon, [*client, "SELECT 1"])
        self._sandbox.run([*client, _GRANTS])

    def _until(self, name: str, daemon: Popen[bytes], words: Sequence[str]) -> None:
        """Wait until the daemon answers a client."""
        until = monotonic() + _TO_START
        while True:
            try:
                self._sandbox.run(words, env=self._env)
            except Ended as error:
                if daemon.poll() is not None or monotonic() > until:
                    raise ClusterError(f"{name} does not start: {error}{self._last(name)}") from error
            else:
                return
            sleep(0.05)

    def _last(self, name: str) -> str:
        said = Path(self.folder / f"{name}.out")
        return f"\n{said.read_text(errors='replace')[-500:]}" if said.exists() else ""

    @staticmethod
    def settings(gres: Sequence[str]) -> Mapping[str, str]:
        """What slurm.conf says of it."""
        return {
            "AccountingStorageType": "accounting_storage/slurmdbd",
            "AccountingStorageHost": "127.0.0.1",
            "AccountingStoragePort": str(_DAEMON),
            "AccountingStoragePass": str(INSIDE / "munge.socket"),
            "AccountingStorageEnforce": "associations,limits,qos",
            "AccountingStorageTRES": ",".join(f"gres/{name}" for name in gres),
        }

    def load(self, layouts: Sequence[Layout]) -> None:
        """Tell QOS and accounts of all lanes, and which QOS limits which partition. slurmctld must run: it is what makes
        instance types known to slurmdbd, and it refuses to start with a QOS that is not known."""
        # One sacctmgr does not see the QOS that it has itself just added.
        self._told([line for layout in layouts for line in layout.qos()])
        self._told([line for layout in layouts for line in layout.accounts()])
        attached = [pair for layout in layouts for pair in layout.limited()]
        self._until_known({qos for _, qos in attached})
        self._sandbox.run(["scontrol"], env=self._env,
                          told="".join(f"update partitionname={name} qos={qos}\n" for name, qos in attached))  # fmt: skip

    def _told(self, lines: Sequence[str]) -> None:
        if not lines:
            return
        said = self._sandbox.run(["sacctmgr", "-i"], env=self._env, told="".join(f"{line}\n" for line in lines))
        if "rror" in said or "Unknown" in said:
            raise ClusterError(f"sacctmgr refuses: {said[-500:]}")

    def _until_known(self, names: set[str]) -> None:
        """Wait until slurmctld has been told of the QOS by slurmdbd."""
        until = monotonic() + _TO_START
        while names:
            told = self._sandbox.run(["scontrol", "show", "assoc_mgr", "flags=qos"], env=self._env)
            if all(f"QOS={name}(" in told for name in names):
                return
            if monotonic() > until:
                raise ClusterError(f"slurmctld does not know QOS of {sorted(names)[:3]} after {_TO_START:.0f} s")
            sleep(0.02)


def lacking() -> None:
    """Raises BackendError where accounting is not installed."""
    plugin = any(Path("/usr/lib").glob("*/slurm-wlm/accounting_storage_mysql.so"))
    missing = [tool for tool in TOOLS if shutil.which(tool) is None] + ([] if plugin else ["accounting_storage_mysql"])
    if missing:
        raise BackendError(f"Slurm's accounting is not installed: {', '.join(missing)}",
                           why="This mapping tells Slurm its limits as QOS and accounts.",
                           fix=f"apt-get install --no-install-recommends {PACKAGES}")  # fmt: skip

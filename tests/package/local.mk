# SPDX-License-Identifier: GPL-2.0-or-later
# not in TESTS: they change what is installed
EXTRA_DIST += \
	tests/package/hardened.sh \
	tests/package/debian.t \
	tests/package/rpm.t
EXTRA_DIST += \
	debian/changelog \
	debian/control \
	debian/copyright \
	debian/opensm-sfabric-plugin.install \
	debian/rules \
	debian/sfabric.install \
	debian/slurm-sfabric-plugin.install \
	debian/slurm-sfabric-plugin.postrm \
	debian/source/format

check-package:
	$(MAKE) check TESTS=tests/package/debian.t

# installs nothing
check-rpm:
	$(MAKE) check TESTS=tests/package/rpm.t

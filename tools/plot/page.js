// page.js - tooltips, and another map in the place of the first
(function () {
	"use strict";
	var data = JSON.parse(document.getElementById("data").textContent);
	var first = document.getElementById("map0");
	var chooser = document.getElementById("chooser");
	var tip = document.getElementById("tip");
	var cells = {};

	// "PLACE: VALUE" of each cell; the browser's own tooltips would be double
	document.querySelectorAll("rect[data-cell]").forEach(function (rect) {
		var title = rect.querySelector("title");
		var text = title.textContent;

		rect.dataset.tip = text;
		rect.removeChild(title);
		if (first.contains(rect)) {
			cells[rect.dataset.cell] = rect;
			rect.dataset.place = text.slice(0, text.indexOf("\n") < 0 ?
				text.lastIndexOf(": ") :
				text.lastIndexOf(": ", text.indexOf("\n")));
			rect.dataset.all = text;
			rect.dataset.look = rect.getAttribute("class");
		}
	});

	function paint(rect, look, value) {
		rect.setAttribute("class", look);
		rect.dataset.tip = rect.dataset.place + ": " + value;
	}

	// as the picture was drawn
	function restore() {
		Object.keys(cells).forEach(function (cell) {
			cells[cell].setAttribute("class", cells[cell].dataset.look);
			cells[cell].dataset.tip = cells[cell].dataset.all;
		});
	}

	function show(index) {
		var map = data.maps[index];
		var texts = first.querySelectorAll("text");

		texts[0].textContent = map.title;
		texts[1].textContent = map.figures;
		if (index === 0)
			return restore();
		Object.keys(cells).forEach(function (cell) {
			paint(cells[cell], "u", "unused");
		});
		map.down.forEach(function (cell) {
			paint(cells[cell], "d", "down");
		});
		map.used.forEach(function (pair) {
			var jobs = cells[pair[0]].dataset.all.split("\n")[1];

			// in a map of one job the others on the port are still named
			paint(cells[pair[0]], pair[2], pair[1] + (jobs ? "\n" + jobs :
				""));
		});
	}

	function choose() {
		show(chooser.selectedIndex);
		location.hash = encodeURIComponent(chooser.value);
	}

	// "#12" and "#job 12" are "#job 12 (2 hosts, mpi=0.5)"
	function choose_by_address() {
		var wanted = location.hash.slice(1);

		try {
			wanted = decodeURIComponent(wanted);
		} catch (error) {
			// a % that escapes nothing stands for itself
		}
		data.maps.forEach(function (map, index) {
			var job = /^job (\S+)/.exec(map.name);

			if (map.name === wanted || job && job.includes(wanted)) {
				chooser.selectedIndex = index;
				show(index);
			}
		});
	}

	if (chooser) {
		choose_by_address();
		chooser.addEventListener("change", choose);
		window.addEventListener("hashchange", choose_by_address);
	}

	document.addEventListener("mousemove", function (event) {
		var text = event.target.dataset && event.target.dataset.tip;

		tip.style.display = text ? "block" : "none";
		if (!text)
			return;
		tip.textContent = text;
		tip.style.left = Math.min(event.clientX + 12,
			Math.max(0, innerWidth - tip.offsetWidth - 4)) + "px";
		tip.style.top = Math.min(event.clientY + 16,
			Math.max(0, innerHeight - tip.offsetHeight - 4)) + "px";
	});
})();
